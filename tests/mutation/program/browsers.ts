import { guardsIn, type ProgramGuard } from './guard.ts'

const TABS = 'src/web/shell/two-tabs.test.ts'

/** What keeps players, answers and times apart in browsers. */
export const browserGuards: ProgramGuard[] = [
  ...guardsIn('src/web/session/token.ts', TABS, {
    'another tab’s session is seen before its event comes': [
      'return stored !== undefined && stored !== readToken()',
      'return false',
    ],
    'a session that another tab has opened is not ended': [
      'if (tokenIn(() => localStorage) === readToken()) writeStored',
      'writeStored',
    ],
  }),
  ...guardsIn('src/web/parts/sending/retried-call.tsx', TABS, {
    'a purchase is repeated for its player alone': [
      'const call = callAsNow()',
      'const call: Call = (endpoint, input) => callAsNow()(endpoint, input)',
    ],
    'a purchase waits for its player': 'isOpen = isOtherSession(error, { isSent: true })',
    'what was not sent is not bought later': ['error, { isSent: true })', 'error)'],
  }),
  ...guardsIn('src/web/session/session-store.ts', TABS, {
    'a session is verified by one timer': ['clearTimeout(waiting)\n  return ++latest', 'return ++latest'],
    'an older balance does not come back': ['if (!isOlder) show(', 'show('],
  }),
  ...guardsIn('src/client/answer-age.ts', 'src/web/query-client.test.ts', {
    'an older answer does not come back': 'if (isOlder(read, known)) return known',
  }),
  ...guardsIn('src/client/server-clock.ts', 'src/client/server-clock.test.ts', {
    'a slow call does not spoil the time': 'if (known && !isBetter(next, known)) return',
  }),
  ...guardsIn('src/admin/console-call.ts', 'src/admin/console-call.test.ts', {
    'an act is not sent for the operator who signed in meanwhile': 'if (token !== readToken()) throw error',
    'the next operator’s session is not ended': [
      'error.status === 401 && token === readToken()',
      'error.status === 401',
    ],
  }),
]
