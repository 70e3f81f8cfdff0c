import { guardsIn, type ProgramGuard } from './guard.ts'

const NOTICES = 'src/server/modules/notices'
const PURCHASES = 'src/server/modules/purchases'
const TOURNAMENT_NOTICES = 'src/server/modules/tournaments/notices/tournament-notices'
const OF_TOURNAMENTS = `${TOURNAMENT_NOTICES}.db.test.ts`
const OWN = `${NOTICES}/notices.db.test.ts`
const DIGEST = `${NOTICES}/digest.db.test.ts`
const PUSH = 'src/server/modules/push'
const OF_PUSH = `${PUSH}/push.db.test.ts`
const OUTBOUND = 'src/server/platform/http'

export const noticeGuards: readonly ProgramGuard[] = [
  ...guardsIn(`${NOTICES}/notices.queries.ts`, OWN, {
    'a repeated event makes one notice': 'ON CONFLICT (user_id, kind, subject) DO NOTHING',
    'a notice to somebody who was erased stops nothing': 'u.erased_at IS NULL AND ',
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
  ...guardsIn(`${PUSH}/push.queries.ts`, 'tests/db/notices-over.db.test.ts', {
    'what is over is not pushed': ['AND NOT ${isOver(sql`now()`)}', ''],
  }),
  ...guardsIn(`${NOTICES}/digest.service.ts`, 'tests/db/notices-over.db.test.ts', {
    'what is over is not in the daily mail': ['rows.filter(({ isOver }) => !isOver)', 'rows'],
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
  ...guardsIn(`${TOURNAMENT_NOTICES}.queries.ts`, OF_TOURNAMENTS, {
    'a team that is there is not reminded of the check-in': ' AND t.checked_in_at IS NULL',
    'a player is reminded of the check-in once': [
      'WHERE r.tournament_id = m.tournament_id AND r.user_id = m.user_id)`\n\nexport type Reminded = { userId: string; isWaiting: boolean }\n\n/** Those of these players whom nobody has reminded yet; they are from now on. */\nexport async function claimReminders(\n  tx: Tx,\n  tournamentId: string,\n  userIds: readonly string[],\n): Promise<Reminded[]> {\n  const { rows } = await sql<Reminded>`\n    WITH reminded AS (\n    INSERT INTO tournament_reminder (tournament_id, user_id)\n    SELECT m.tournament_id, m.user_id ${unreminded}\n       AND m.tournament_id = ${tournamentId}::bigint AND m.user_id = ANY (${[...userIds]}::bigint[])\n     ORDER BY m.user_id\n    ON CONFLICT DO NOTHING',
      'WHERE false)`\n\nexport type Reminded = { userId: string; isWaiting: boolean }\n\n/** Those of these players whom nobody has reminded yet; they are from now on. */\nexport async function claimReminders(\n  tx: Tx,\n  tournamentId: string,\n  userIds: readonly string[],\n): Promise<Reminded[]> {\n  const { rows } = await sql<Reminded>`\n    WITH reminded AS (\n    INSERT INTO tournament_reminder (tournament_id, user_id)\n    SELECT m.tournament_id, m.user_id ${unreminded}\n       AND m.tournament_id = ${tournamentId}::bigint AND m.user_id = ANY (${[...userIds]}::bigint[])\n     ORDER BY m.user_id\n    ON CONFLICT (tournament_id, user_id) DO UPDATE SET created_at = excluded.created_at',
    ],
    'no reminder comes before the check-in is open': [
      'AND cup.competition_start_at <= ${now}::timestamptz + make_interval(mins => cup.check_in_minutes)',
      '',
    ],
  }),
  ...guardsIn(`${TOURNAMENT_NOTICES}.service.ts`, OF_TOURNAMENTS, {
    'who withdraws a team is not told so': '.filter((userId) => userId !== by)',
    'a result is told when the match is decided': ['winning_team_id !== null || is_void', 'true'],
  }),
  ...guardsIn('src/server/modules/tournaments/charges.service.ts', OF_TOURNAMENTS, {
    'a fee that was never taken is not told as given back': ' || !charge.is_taken',
  }),
  ...guardsIn(`${TOURNAMENT_NOTICES}.queries.ts`, OF_TOURNAMENTS, {
    'a follower is told once that a tournament begins': [
      'told_at = clock_timestamp() FROM',
      'told_at = NULL FROM',
    ],
  }),
  ...guardsIn(
    `${TOURNAMENT_NOTICES}.queries.ts`,
    'src/server/modules/tournaments/notices/cancelled.db.test.ts',
    {
      'nobody is told that a cancelled tournament begins': [
        'WHERE id = ${tournamentId}::bigint AND cancelled_at IS NULL AND finished_at IS NULL',
        'WHERE id = ${tournamentId}::bigint AND finished_at IS NULL',
      ],
    },
  ),
  ...guardsIn('src/server/modules/tournaments/notices/reminders.service.ts', OF_TOURNAMENTS, {
    'a tournament that has begun cannot be followed': [
      'if (wanted && (hasBegun ||',
      'if (wanted && (false ||',
    ],
    'reminders of tournaments are limited': 'await limits.consume(CHANGES_PER_PLAYER, userId)',
  }),
  ...guardsIn(`${NOTICES}/digest.queries.ts`, DIGEST, {
    'the daily mail is made once a day': ['${isOfAnotherDay(day)} AND d.user_id', 'd.user_id'],
    'a daily mail of a clock that was ahead bars no other': ' OR made_on > ${day}::date',
    'two workers make a daily mail once': ' FOR UPDATE OF d SKIP LOCKED',
    'the daily mail goes to a proved address': ' AND c.email_verified_at IS NOT NULL',
    'what a daily mail told is not told again': ' AND o.id > w.told_until',
    'the daily mail has what is unread': ' AND o.read_at IS NULL',
  }),
  ...guardsIn(`${NOTICES}/preferences.service.ts`, DIGEST, {
    'the daily mail is turned on with a proved address': ['!(await hasProvedEmail(tx, userId))', 'false'],
    'the consent to the daily mail is recorded':
      "await recordChoice(tx, userId, { subject: 'digest', given: isWanted, source: 'notices-page' })",
  }),
  ...guardsIn(`${PUSH}/push.queries.ts`, OF_PUSH, {
    'two workers take a message once': ' FOR UPDATE SKIP LOCKED',
    'a message is leased': [
      ', next_attempt_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})',
      '',
    ],
    'a session that is past its time is told nothing': ' AND ${isLiveSession()}',
    'a browser is told of its present player alone': ' AND n.user_id = p.user_id',
    'a notice that was read is not sent': ' AND n.read_at IS NULL',
    'a player turns off their own browsers alone': [
      'WHERE id = ${id}::bigint AND user_id = ${userId}::bigint`',
      'WHERE id = ${id}::bigint`',
    ],
    'a player has ten browsers': [' OFFSET ${SUBSCRIPTIONS_MAX}', ' OFFSET 1000'],
  }),
  ...guardsIn(`${PUSH}/push.service.ts`, OF_PUSH, {
    'a browser has keys that something can be encrypted with': ['if (unusable !== null) ', 'if (false) '],
    'an endpoint is an address of the internet': ['!pushOutbound.mayCall(endpoint)', 'false'],
    'browsers are changed so many times a day': 'await limits.consume(PUSH_PER_PLAYER, userId)',
    'the consent to push is recorded':
      "await recordChoice(tx, userId, { subject: 'push', given: true, source: 'notices-page' })",
    'the consent to push is withdrawn with the last browser': ['given: false, source', 'given: true, source'],
  }),
  ...guardsIn(`${PUSH}/push.rules.ts`, OF_PUSH, {
    'a browser that is gone is forgotten': ['status === 404 || status === 410', 'false'],
    'a browser that never answers is forgotten': ['failures + 1 >= FAILURES_MAX', 'false'],
  }),
  ...guardsIn(`${OUTBOUND}/public-addresses.ts`, `${OUTBOUND}/outbound.test.ts`, {
    'a name that leads to this machine is not called': [
      'if (!addresses.every(({ address }) => isPublicAddress(address)))',
      'if (addresses.length > 99)',
    ],
  }),
  ...guardsIn(`${OUTBOUND}/outbound.ts`, OF_PUSH, {
    'only known push services are called': ['return isKnown && ', 'return '],
    'a push service is called by https': [" && protocol === 'https:'", ''],
  }),
  ...guardsIn(`${PURCHASES}/collection.queries.ts`, `${PURCHASES}/collection.db.test.ts`, {
    'a late answer of the game tells a player nothing': 'row.numUpdatedRows === 1n && ',
  }),
]
