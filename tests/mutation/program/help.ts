import { guardsIn, type ProgramGuard } from './guard.ts'

const CASES = 'src/server/modules/cases'
const TESTS = `${CASES}/cases.db.test.ts`

/** What players report, and its answers. */
export const helpGuards: ProgramGuard[] = [
  ...guardsIn(`${CASES}/cases.service.ts`, TESTS, {
    'a player writes in cases of their own': [
      'if (locked?.userId !== userId) throw notFound()',
      'if (locked === undefined) throw notFound()',
    ],
    'a closed case takes no message': `if (state === 'closed') throw isClosed()`,
    'a case has a hundred messages at most': 'if (messages >= CASE_MESSAGES_MAX) throw tooManyMessages()',
    'five cases of a player wait at most':
      'if ((await countWaiting(tx, userId)) >= OPEN_CASES_MAX) throw tooManyOpen()',
    'what is open is not reported again': 'if (open !== undefined) throw alreadyReported(open)',
    'messages are limited by address': [
      'writing.overLimit ?? (await overLimitOf(deps.limits, MESSAGES_PER_ADDRESS, writing.address))',
      'writing.overLimit',
    ],
    'messages are limited by player': ['limit: MESSAGES_PER_PLAYER,', 'limit: CASES_PER_PLAYER,'],
  }),
  ...guardsIn(`${CASES}/cases.queries.ts`, TESTS, {
    'a player reads cases of their own': [
      `    .where('user_id', '=', userId)\n    .executeTakeFirst()\n  return row && toCaseRow(row)`,
      '    .executeTakeFirst()\n  return row && toCaseRow(row)',
    ],
    'a player reads pictures of their own': `    .$if(userId !== null, (query) => query.where('help_case.user_id', '=', userId))\n`,
    'a picture belongs to its case': `    .where('help_case.id', '=', caseId)\n`,
  }),
  ...guardsIn(`${CASES}/visitor-cases.service.ts`, `${CASES}/visitor-cases.db.test.ts`, {
    'a visitor’s code serves once': [
      'if (!(await spendCode(deps.vault, tx, { target: targetOf(visitor), code }))) throw wrongCode()',
      '',
    ],
    'three cases of a visitor wait at most':
      'if ((await countWaitingLocked(tx, visitor)) >= VISITOR_OPEN_CASES_MAX) throw tooManyOpen()',
    'a visitor’s case is opened by its token': [
      'if (right.length !== given.length || !timingSafeEqual(right, given))',
      'if (right.length === 0 || given.length === 0)',
    ],
    'a mailbox gets so many codes of visitors': '  await consumeAll(deps.limits, CODES_PER_EMAIL, email)\n',
    'a client has so many codes mailed to visitors':
      '  await deps.limits.consume(CODES_PER_ADDRESS, clientKey(address))\n',
    'a client tries so many codes of visitors':
      '  await deps.limits.consume(TRIES_PER_ADDRESS, clientKey(address))\n',
    'a closed case of a visitor takes no message': '    assertWritable(locked)\n',
  }),
  ...guardsIn(`${CASES}/operator-cases.service.ts`, TESTS, {
    'a case is given to those who may answer it':
      'if (username !== null && !mayAnswer) throw wrongAssignee()',
    'one case about a thing is open': 'if (other !== undefined) throw reportedAgain(other)',
    'nobody answers in a closed case': '      assertWritable(locked)\n',
  }),
]
