import { guardsIn, type ProgramGuard } from './guard.ts'

const NOTICES = 'src/server/modules/notices'
const PURCHASES = 'src/server/modules/purchases'
const OWN = `${NOTICES}/notices.db.test.ts`

export const noticeGuards: readonly ProgramGuard[] = [
  ...guardsIn(`${NOTICES}/notices.queries.ts`, OWN, {
    'a repeated event makes one notice': 'ON CONFLICT (user_id, kind, subject) DO NOTHING',
    'a notice to somebody who was erased stops nothing': 'AND u.erased_at IS NULL ',
    'a kind that is turned off is told no more': ['AND NOT p.by_bell', 'AND false'],
    'a player marks their own notices alone': [
      'WHERE user_id = ${userId}::bigint AND read_at IS NULL\n         AND id BETWEEN',
      'WHERE read_at IS NULL\n         AND id BETWEEN',
    ],
    'a player reads their own notices alone': [
      'WHERE user_id = ${userId}::bigint AND id < coalesce',
      'WHERE id < coalesce',
    ],
  }),
  ...guardsIn(`${NOTICES}/notices.service.ts`, OWN, {
    'marks of notices are limited': ['await limits.consume(CHANGES_PER_PLAYER, userId)\n  while', 'while'],
  }),
  ...guardsIn(`${NOTICES}/notices.routes.ts`, OWN, {
    'the bell leaves half of an address’s streams to others': 'isOfEveryPage: true,',
  }),
  ...guardsIn(`${PURCHASES}/collection.queries.ts`, `${PURCHASES}/collection.db.test.ts`, {
    'a late answer of the game tells a player nothing': 'row.numUpdatedRows === 1n && ',
  }),
]
