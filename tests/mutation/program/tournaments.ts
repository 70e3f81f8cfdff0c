import { guardsIn, type ProgramGuard } from './guard.ts'

const M = 'src/server/modules/tournaments'
const DESK = `${M}/desk`
const RESULTS = `${M}/results/results`
const QUEUE = 'src/admin/features/tournaments/desk'

/** Who has a place, and whose fee is taken and given back. */
const places: readonly ProgramGuard[] = [
  ...guardsIn(`${M}/places.service.ts`, `${M}/fees.db.test.ts`, {
    'a fee is taken from a whole team only': ['players.length >= size', 'players.length >= 0'],
    'a refused fee is asked for again when the player wants it': [
      `['pending', 'refused'].includes(`,
      `['pending'].includes(`,
    ],
    'who goes out gets the fee back': '  await refundCharges(tx, { teamIds, reason })\n',
  }),
  ...guardsIn(`${M}/follow-up.service.ts`, `${M}/fees.db.test.ts`, {
    'a cancelled tournament gives every fee back': '  await refundCancelled(tx, kept)\n',
  }),
  ...guardsIn(`${M}/places.service.ts`, `${M}/registration.db.test.ts`, {}),
  ...guardsIn(`${M}/places.service.ts`, `${M}/notices/cancelled.db.test.ts`, {
    'a place that runs out tells nobody in a cancelled tournament': [
      'tournament.current_round > 0 || tournament.cancelled_at !== null) return',
      'tournament.current_round > 0) return',
    ],
  }),
  ...guardsIn(`${M}/notices/tournament-notices.queries.ts`, `${M}/notices/cancelled.db.test.ts`, {
    'nobody is asked to check in where there is nothing to play':
      ' AND current_round = 0 AND closed_at IS NULL AND cancelled_at IS NULL\n       AND competition_start_at > ${now}',
  }),
  ...guardsIn(`${M}/teams.queries.ts`, `${M}/names.db.test.ts`, {
    'a team of an older release is compared too': '  await fillSkeletons(tx, tournamentId)\n',
  }),
  ...guardsIn(`${M}/charges.queries.ts`, 'tests/db/tournament-charges.db.test.ts', {
    'a fee that is to be given back stays so when the game has taken it': `    .where('state', '=', state)\n`,
  }),
  ...guardsIn(`${M}/tournaments.queries.ts`, [`${M}/registration.db.test.ts`, `${M}/running.db.test.ts`], {
    'acts on one tournament take turns': '    .forUpdate()\n',
  }),
  ...guardsIn(`${M}/registration.service.ts`, `${M}/registration.db.test.ts`, {
    'no more teams have a place than the bracket': [
      'const hasPlace = left > 0',
      'const hasPlace = left >= 0',
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
    'what a draw was made by stays after it': 'if (drawn !== undefined) throw frozen(drawn)',
  }),
]

const LARGE = `${M}/large.db.test.ts`

/** What is done in parts, with what comes in between. */
const parts: readonly ProgramGuard[] = [
  ...guardsIn(`${M}/places.service.ts`, LARGE, {
    'a fee that is taken when the draw is over admits nobody': [
      ' || tournament.current_round > 0) return new Set()',
      ') return new Set()',
    ],
    'a fee that is taken when the tournament is cancelled admits nobody': [
      'if (tournament.cancelled_at !== null || tournament.current_round > 0)',
      'if (tournament.current_round > 0)',
    ],
    'nobody moves up while the list is being closed': '  if (isListBeingClosed(tournament)) return\n',
    'who comes while others wait stands behind them': ['- placed - waiting)', '- placed)'],
  }),
  ...guardsIn(`${M}/charges.queries.ts`, LARGE, {
    'each fee of a cancelled tournament is given back once': [
      'WHERE id = ANY(${[...ids]}::uuid[]) AND ${isKept}',
      'WHERE id = ANY(${[...ids]}::uuid[])',
    ],
  }),
  ...guardsIn(`${M}/charges.service.ts`, LARGE, {
    'nobody is asked for a fee of a cancelled tournament': ` && tournament.cancelled_at === null`,
  }),
  ...guardsIn(`${M}/follow-up.service.ts`, LARGE, {
    'fees beyond the first part are given back': [
      'workAll: (ids) => refundCancelled(db, ids)',
      'workAll: async () => 0',
    ],
    'teams beyond the first part are out of the draw': [
      'workAll: (ids) => dismiss(deps, ids)',
      'workAll: async () => 0',
    ],
  }),
  ...guardsIn(`${M}/draw.service.ts`, LARGE, {
    'who is not admitted at the draw is out': `    await withdraw(tx, tournament, others, { reason: 'not-admitted', now })\n`,
  }),
  ...guardsIn(`${M}/freeze.service.ts`, LARGE, {
    'a list is closed when it is known who is out': [
      'if (limit === 0 || (await moveUp(tx, closed, { now, limit })) === limit) return',
      'await moveUp(tx, closed, { now, limit })',
    ],
  }),
  ...guardsIn(`${M}/freeze.service.ts`, `${M}/notices/cancelled.db.test.ts`, {
    'the list of a cancelled tournament is not closed': `          if (tournamentPhase(tournament, now) !== 'drawing') return false\n`,
  }),
  ...guardsIn(`${M}/operator-tournaments.service.ts`, LARGE, {
    'every part of a close asks alike who had to check in': [
      `throw frozenByClose('competition_start_at')`,
      '{}',
    ],
  }),
]

const PROOF = 'src/contract/draw-proof'

/** A draw that anybody repeats, and nobody knows before. */
const draws: readonly ProgramGuard[] = [
  ...guardsIn(`${PROOF}.ts`, `${PROOF}.test.ts`, {
    'only the beacon’s signature of the round counts': [
      'return SCHEME.verify(SCHEME.Signature.fromHex(signature), messageOf(round), hexToBytes(public_key))',
      'return SCHEME.Signature.fromHex(signature) !== null && messageOf(round) !== null && public_key !== hexToBytes.name',
    ],
    'another beacon under the name of the public one is found': [
      'chain[fact] === QUICKNET[fact]',
      'chain[fact] !== undefined',
    ],
    'the round is the first one after the close': [
      'roundAfter(chain, new Date(closed_at)) !== round',
      'roundAfter(chain, new Date(closed_at)) < 0',
    ],
    'a random number that is not of the signature is found': [
      'randomnessOf(signature) !== randomness',
      'randomness === undefined',
    ],
    'another list than the published one is found': ['listDigest(list) !== commitment', 'list === null'],
    'another team in a closed list is found': [
      'teamDigest({ id, name, members }) === digest',
      'digest !== teamDigest.name',
    ],
    'another order of a draw is found': ['!isSame(order, draw.order)', 'order.length < 0'],
    'a team at another place than the order has is found': [
      '!isSame(lineupOf(order, teams, playing), draw.lineup)',
      'playing.size < 0',
    ],
    'whoever leaves moves nobody': [
      'return order.map((id) => (playing.has(id) ? id : (inPlaceOf.get(id) ?? null)))',
      'return order.filter((id) => playing.has(id) || inPlaceOf.has(id) === null)',
    ],
    'another secret than the promised one is found': [
      'digestOf(hexToBytes(secret)) !== commitment',
      'secret === commitment',
    ],
  }),
  ...guardsIn(`${M}/draw.rules.ts`, `${M}/draw.rules.test.ts`, {
    'a secret that was promised after the close is found': [
      'BigInt(created.seq) > BigInt(drawn.seq) || (listClosed !== null && created.at >= listClosed)',
      'listClosed === undefined',
    ],
    'a list that was recorded after the random number is found': [
      'frozen.at >= roundTime(QUICKNET, beacon.round)',
      'frozen.at > roundTime(QUICKNET, beacon.round + 1_000)',
    ],
    'another list than the recorded one is found': [
      'if (list_digest !== commitment)',
      'if (list_digest === null)',
    ],
  }),
  ...guardsIn(`${M}/draw.service.ts`, `${M}/draw.db.test.ts`, {
    'what somebody brings of a round is checked': [
      'if (signature === null) throw wrongBeacon(round)\n  return signature',
      'return signature ?? String(JSON.parse(pasted).signature)',
    ],
    'nothing is drawn before its round': `  if (now < from) throw roundNotYet(from.toISOString())\n`,
    'seeds stay once the list is closed': [
      `    const { id, phase } = tournament
    assertListOpen(tournament)
`,
      `    const { id, phase } = tournament
`,
    ],
  }),
  ...guardsIn(`${M}/draw.service.ts`, [`${M}/running.db.test.ts`, `${M}/registration.db.test.ts`], {
    'the random number is public with the whole draw only': [
      'const isSigned = isPublic && signature !== null',
      'const isSigned = signature !== null',
    ],
  }),
  ...guardsIn(`${M}/freeze.queries.ts`, `${M}/registration.db.test.ts`, {
    'who has not checked in is out': ['AND t.checked_in_at IS NULL)', 'AND false)'],
  }),
  ...guardsIn(`${M}/freeze.queries.ts`, `${M}/draw.db.test.ts`, {
    'a team that lacks members at the close is out': ['< ${size})', '< 0 * ${size})'],
  }),
  ...guardsIn(`${M}/registration.service.ts`, `${M}/draw.db.test.ts`, {
    'a captain changes nothing of a closed list': [
      'assertListOpen(locked, now)\n        const name',
      'const name',
    ],
    'nobody leaves a team of a closed list': `    if (tournamentPhase(tournament, now) === 'drawing') throw memberStays()\n`,
  }),
  ...guardsIn(`${M}/teams.service.ts`, `${M}/draw.db.test.ts`, {
    'a referee changes nothing of a closed list': [
      `throw isOver(phase)
    assertListOpen(tournament)
`,
      `throw isOver(phase)
`,
    ],
  }),
  ...guardsIn(`${M}/beacon.service.ts`, `${M}/beacon.db.test.ts`, {
    'a relay that answers wrongly does not count': [
      'return isSignedBy(chain, round, read.data.signature) ? read.data.signature : null',
      'return isSignedBy(chain, round, read.data.signature) ? read.data.signature : read.data.signature',
    ],
    'a demo says nothing of a round before its time': [
      '(clock.now() >= roundTime(chain, round) ? sign(round) : null)',
      '(clock.now() === roundTime(chain, round) ? null : sign(round))',
    ],
  }),
  ...guardsIn('src/server/config/config.ts', `${M}/beacon.db.test.ts`, {
    'only a demo draws by a key of its own': [
      'demoBeaconSecret: isDemo(env) ? (env.DEMO_BEACON_SECRET ?? null) : null',
      'demoBeaconSecret: env.DEMO_BEACON_SECRET ?? null',
    ],
  }),
  ...guardsIn(`${M}/tournaments.service.ts`, `${M}/running.db.test.ts`, {
    'the bracket shows no team that is not public': ['if (isPublic) return', 'if (reveal) return'],
  }),
]

export const tournamentGuards: readonly ProgramGuard[] = [
  ...places,
  ...parts,
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
