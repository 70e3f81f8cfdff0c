import { guardsIn, type ProgramGuard } from './guard.ts'

const M = 'src/server/modules/tournaments'
const DESK = `${M}/desk`
const RESULTS = `${M}/results/results`
const QUEUE = 'src/admin/features/tournaments/desk'

/** Who has a place, and whose fee is taken and given back. */
const places: readonly ProgramGuard[] = [
  ...guardsIn(`${M}/places.service.ts`, `${M}/fees.db.test.ts`, {
    'nobody moves up in a cancelled tournament': '  if (tournament.cancelled_at !== null) return\n',
    'a fee is taken from a whole team only':
      '  if (players.length < teamSize(tournament.type)) return false\n',
    'a refused fee is asked for again when the player wants it': `    if (state === 'pending' || state === 'refused') continue\n`,
    'who goes out gets the fee back': '  await refundCharges(tx, { teamId: team.id, reason })\n',
    'a cancelled tournament gives every fee back': `    await refundCharges(tx, { teamId: team.id, reason: 'cancelled' })\n`,
  }),
  ...guardsIn(`${M}/places.service.ts`, `${M}/registration.db.test.ts`, {
    'after the close only who has checked in moves up': [
      'tournament.closed_at !== null && tournament.check_in_minutes > 0',
      'false',
    ],
    'who has not checked in is out': [
      'if (tournament.check_in_minutes > 0) {',
      'if (tournament.id === null) {',
    ],
  }),
  ...guardsIn(`${M}/charges.queries.ts`, 'tests/db/tournament-charges.db.test.ts', {
    'a fee that is to be given back stays so when the game has taken it': `    .where('state', '=', state)\n`,
  }),
  ...guardsIn(`${M}/tournaments.queries.ts`, [`${M}/registration.db.test.ts`, `${M}/running.db.test.ts`], {
    'acts on one tournament take turns': '    .forUpdate()\n',
  }),
  ...guardsIn(`${M}/registration.service.ts`, `${M}/registration.db.test.ts`, {
    'no more teams have a place than the bracket': [
      'const hasPlace = left === null || left > 0',
      'const hasPlace = left !== undefined',
    ],
    'a character may be kept out of a tournament':
      'if (reason !== null) throw characterNotAllowed(reason, tournament)',
    'only who may trade signs up': '  assertMayTrade(trader, deps.clock.now())\n',
    'a team stays as it was drawn': '    assertNotDrawn(tournament)\n',
    'only its captain changes a team': 'if (team.captain_id !== userId) throw notCaptain()',
  }),
  ...guardsIn(`${M}/operator-tournaments.service.ts`, [`${M}/fees.db.test.ts`, `${M}/running.db.test.ts`], {
    'the fee stays once teams have registered':
      'if (isFeeNew && (await hasTeamsOfPlayers(tx, id))) throw feeIsFixed()',
    'an act meant for another state of a tournament is refused':
      'if (isStale(tournament)) throw changedMeanwhile(tournament)',
    'what a draw was made by stays after it':
      'if (tournament.current_round > 0 && changed !== undefined) throw frozen(changed)',
  }),
]

/** A draw that anybody repeats, and nobody knows before. */
const draws: readonly ProgramGuard[] = [
  ...guardsIn(`${M}/draw.rules.ts`, `${M}/draw.rules.test.ts`, {
    'another secret than the promised one is found': [
      'if (commitmentOf(secret) !== commitment)',
      'if (secret === null)',
    ],
    'another team in a draw is found': ['teamDigest({ id, name }) !== digest', 'digest === null'],
    'another order of a draw is found': [
      'repeated.length !== order.length || repeated.some((id, index) => id !== order[index])',
      'repeated.length < 0',
    ],
    'a secret that was promised after the close is found': [
      'BigInt(created.seq) > BigInt(drawn.seq) || (listClosed !== null && created.at >= listClosed)',
      'listClosed === undefined',
    ],
    'a list that was drawn anew is found': [
      `afterOf(drawn)['list_digest'] !== listDigest(teams)`,
      'teams === null',
    ],
  }),
  ...guardsIn(`${M}/draw.service.ts`, [`${M}/running.db.test.ts`, `${M}/registration.db.test.ts`], {
    'the secret is public with the whole draw only': [
      'secret: isPublic ? (stored?.secret ?? null) : null',
      'secret: stored?.secret ?? null',
    ],
    'a draw is public team by team': [
      'isPublic ? order : order.slice(0, revealedTeams(reveal, now))',
      'order',
    ],
    'who is not admitted at the draw is out': '    await dismissOthers(tx, tournament, now)\n',
    'a draw at the last minute asks for check-in': `if (phase === 'drawing' && tournament.closed_at === null) await closeList(tx, tournament, now)`,
  }),
  ...guardsIn(`${M}/tournaments.service.ts`, `${M}/running.db.test.ts`, {
    'the bracket shows no team that is not public': ['if (isPublic) return', 'if (reveal) return'],
  }),
  ...guardsIn(`${M}/operator-tournaments.service.ts`, 'tests/db/command-line.db.test.ts', {
    'the promise of a secret stands in the audit trail': [
      '{ ...fields, draw_commitment: answer.draw_commitment }',
      'fields',
    ],
  }),
]

export const tournamentGuards: readonly ProgramGuard[] = [
  ...places,
  ...draws,
  ...guardsIn(`${DESK}.service.ts`, `${DESK}.db.test.ts`, {
    'a referee changes the match that they saw':
      'if (!isAsSeen) throw matchChangedMeanwhile(toOperatorMatch(match.row))',
    'a plain result takes no later result back':
      'if (again.length > 0) throw correctedLater(match.position, again.length)',
    'a correction names what is played again':
      'if ([...again].sort().join() !== [...call.body.again].sort().join()) throw otherMatchesAgain(again)',
    'nobody is called while a tournament is paused': 'if (tournament.paused_at !== null) throw paused()',
    'the act is undone that the referee was shown':
      'if (call.body.number !== undefined && call.body.number !== last.number) throw nothingToUndo()',
    'both teams absent are a result': [
      'return is_void && team1_id !== null && team2_id !== null ? [1, 2] : []',
      'return []',
    ],
  }),
  ...guardsIn(`${RESULTS}.queries.ts`, `${RESULTS}.db.test.ts`, {
    'results tell nothing of a draw that is not public': [` IN ('running', 'finished')`, ` <> 'cancelled'`],
  }),
  ...guardsIn(`${QUEUE}-queue.ts`, [`${QUEUE}-queue.test.ts`, `${QUEUE}-sender.test.ts`], {
    'an act at the desk is repeated as it was sent': '  if (sent !== null) return sent\n',
    'an act upon a refused one is not sent': [
      'return isUpon ? { ...queued, refused: { message: unsent, present: refused.present } } : queued',
      'return queued',
    ],
  }),
]
