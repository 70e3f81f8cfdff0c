import { guardsIn, type ProgramGuard } from './guard.ts'

const NOTICES = 'src/server/modules/notices'
const PURCHASES = 'src/server/modules/purchases'
const TOLD = 'src/server/modules/tournaments/told'
const OF_TOURNAMENTS = `${TOLD}/told.db.test.ts`
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
      'WHERE n.user_id = ${userId}::bigint AND n.id < coalesce',
      'WHERE n.id < coalesce',
    ],
  }),
  ...guardsIn(`${NOTICES}/notices.service.ts`, OWN, {
    'marks of notices are limited': ['await limits.consume(CHANGES_PER_PLAYER, userId)\n  while', 'while'],
  }),
  ...guardsIn(`${NOTICES}/notices.routes.ts`, OWN, {
    'the bell leaves half of an address’s streams to others': 'isOfEveryPage: true,',
  }),
  ...guardsIn(`${NOTICES}/notices.queries.ts`, OF_TOURNAMENTS, {
    'mails of reminders can be turned off': ['AND NOT p.by_mail', 'AND false'],
  }),
  ...guardsIn(`${TOLD}/told.queries.ts`, OF_TOURNAMENTS, {
    'a team that is there is not reminded of the check-in': ' AND t.checked_in_at IS NULL',
    'a player is reminded of the check-in once': [
      'WHERE r.tournament_id = m.tournament_id AND r.user_id = m.user_id)\n     ORDER BY m.user_id LIMIT ${limit}\n    ON CONFLICT DO NOTHING',
      'WHERE false) ORDER BY m.user_id LIMIT ${limit}\n    ON CONFLICT (tournament_id, user_id) DO UPDATE SET created_at = excluded.created_at',
    ],
    'no reminder comes before the check-in is open': [
      'AND competition_start_at <= ${now}::timestamptz + make_interval(mins => check_in_minutes)',
      '',
    ],
  }),
  ...guardsIn(`${TOLD}/told.service.ts`, OF_TOURNAMENTS, {
    'who withdraws a team is not told so': '.filter((userId) => userId !== by)',
    'a result is told when the match is decided': ['winning_team_id !== null || is_void', 'true'],
  }),
  ...guardsIn('src/server/modules/tournaments/charges.service.ts', OF_TOURNAMENTS, {
    'a fee that was never taken is not told as given back': ' || !charge.is_taken',
  }),
  ...guardsIn(`${PURCHASES}/collection.queries.ts`, `${PURCHASES}/collection.db.test.ts`, {
    'a late answer of the game tells a player nothing': 'row.numUpdatedRows === 1n && ',
  }),
]
