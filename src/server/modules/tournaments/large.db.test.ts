import { type RawBuilder, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { verifyDraw } from '#contract/draw-proof.ts'
import { testBeacon, useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { failedWork, poison } from '#tests/support/poisoned-row.ts'
import { statementsOf } from '#tests/support/postgres.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { refundCancelled } from './charges.queries.ts'
import { claimCharges, sendCharge } from './charges.service.ts'
import { followUp } from './follow-up.service.ts'
import { closeDue } from './freeze.service.ts'
import { TEAMS_AT_ONCE } from './places.service.ts'
import { addCrowd } from './testing/crowd.ts'
import { inDays } from './testing/referee.ts'
import { actOnTeam, anEntrant, leaveTeam, OPEN_TO_ALL, ownTeam, signUp, takeFees } from './testing/sign-up.ts'

/*
 * Tournaments of so many teams that one transaction for all of them would hold the lock too long: 600 and more, and 5,000 with all
 * cases. How long it is held is measured by statements and rows of a transaction, which do not depend on the machine.
 */
const SCALE = hasAllCases ? 6 : 1
const MAX_ROUND = hasAllCases ? 12 : 9
/** However many teams there are. */
const STATEMENTS_MAX = 50

const portal = useTestApp()
const referee = useReferee(portal)

const aTournament = (change: object = {}) =>
  referee.aTournament({
    ...OPEN_TO_ALL,
    fee: 100,
    max_round: MAX_ROUND,
    check_in_minutes: 1440,
    competition_start_at: inDays(0.5),
    ...change,
  })

async function rowsOf<Row>(query: RawBuilder<Row>): Promise<Row[]> {
  return (await query.execute(portal.db)).rows
}

/** Teams in a state, or out for a reason, in the order in which they came. */
const teamsOf = async (id: string, state: string): Promise<string[]> =>
  (
    await rowsOf(sql<{ id: string }>`
      SELECT id FROM teams WHERE tournament_id = ${id}::bigint AND coalesce(withdrawn_for, state) = ${state} ORDER BY id`)
  ).map((team) => team.id)

/** The teams that have a charge in this state, one row for each. */
const teamsCharged = async (id: string, state: string): Promise<string[]> =>
  (
    await rowsOf(sql<{ id: string }>`
      SELECT team_id AS id FROM tournament_charges WHERE tournament_id = ${id}::bigint AND state = ${state} ORDER BY team_id`)
  ).map((team) => team.id)

const inOrder = (...some: readonly string[][]) => some.flat().sort((a, b) => Number(a) - Number(b))

/** The most rows of a tournament that one transaction has written since the crowd came. */
async function openRowsWritten(id: string) {
  const tables = ['teams', 'tournament_charges', 'notice'] as const
  const rows = (table: (typeof tables)[number]) =>
    table === 'notice'
      ? sql`notice WHERE (data ->> 'tournamentId') = ${id}`
      : sql`${sql.table(table)} WHERE tournament_id = ${id}::bigint`
  const before = await Promise.all(
    tables.map(async (table) =>
      (await rowsOf(sql<{ by: string }>`SELECT DISTINCT xmin::text AS by FROM ${rows(table)}`)).map(
        ({ by }) => by,
      ),
    ),
  )
  return () =>
    Promise.all(
      tables.map(async (table, place) => {
        const [most] = await rowsOf(sql<{ count: number }>`
          SELECT count(*)::integer AS count FROM ${rows(table)} AND xmin::text <> ALL(${before[place] ?? []}::text[])
           GROUP BY xmin::text ORDER BY 1 DESC LIMIT 1`)
        return most?.count ?? 0
      }),
    )
}

/** What the game answers about the fees of these teams arrives. */
async function answerFees(
  due: Awaited<ReturnType<typeof claimCharges>>,
  teams: readonly string[],
  answer: ChargeOutcome = { kind: 'applied' },
) {
  const game = { ...portal.deps.game, charge: async () => answer }
  for (const charge of due.filter(({ team_id }) => teams.includes(team_id)))
    await sendCharge({ ...portal.deps, game }, charge)
}

type ChargeOutcome = Awaited<ReturnType<typeof portal.deps.game.charge>>

describe('the close of a large tournament', () => {
  test('takes parts, whatever comes in between and wherever it is killed, with the result that one go has', async () => {
    const id = await aTournament()
    const [leaver, late] = [await anEntrant(portal, { luong: 100 }), await anEntrant(portal, { luong: 100 })]
    const own: string[] = []
    for (const entrant of [leaver, late]) own.push((await signUp(portal, id, entrant)).body.id)
    const [left, absent] = own as [string, string]
    await actOnTeam(portal, { id, team: left, path: 'check-in' }, leaver)
    await takeFees(portal)
    const crowd = await addCrowd(portal, id, {
      present: 60 * SCALE,
      absent: 300 * SCALE,
      unpaid: 90 * SCALE,
      unpaidAbsent: 20 * SCALE,
      incomplete: 40 * SCALE,
      waiting: 400 * SCALE,
      waitingAbsent: 20 * SCALE,
    })
    const fees = await claimCharges(portal.deps, 10_000)
    const rowsWritten = await openRowsWritten(id)
    const [paying, paidLate] = [crowd.unpaid[0]!, crowd.unpaidAbsent.at(-1)!]

    const updated_at = await referee.updatedAt(id)
    const close = () => referee.send('POST', referee.at(id, '/close'), { updated_at })
    const sent = await statementsOf(async () => expect((await close()).status).toBe(200))
    expect(sent.length).toBeLessThanOrEqual(STATEMENTS_MAX)
    // Everybody sees that registration is over, and that the list is not closed yet.
    const shown = (await portal.call('GET', `/api/tournaments/brackets/${id}`)).body.tournament
    expect(shown).toMatchObject({ closed_at: expect.any(String), draw_round: null })
    expect(await referee.read(id)).toMatchObject({ phase: 'drawing', draw_round: null })

    // A late registration, a check-in, an answer of the game, and a team that leaves.
    const refused = [
      await signUp(portal, id, await anEntrant(portal)),
      await actOnTeam(portal, { id, team: left, path: 'check-in' }, leaver),
      await referee.act(id, '/draw'),
    ]
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409])
    expect(refused[2]?.body.message).toContain('đang được chốt')
    await answerFees(fees, [paying, paidLate])
    expect(await teamsOf(id, 'admitted')).toEqual(expect.arrayContaining([paying, paidLate]))
    expect((await leaveTeam(portal, { id, team: left }, leaver)).status).toBe(200)
    // Nobody moves up before it is known who is out.
    expect(await teamsOf(id, 'waiting')).toEqual(inOrder(crowd.waiting, crowd.waitingAbsent))

    // Killed in the next part, and before the list is stored.
    const before = await teamsOf(id, 'absent')
    const { cure } = await poison(portal, { table: 'teams', id: crowd.absent.at(-1)! })
    while (await closeDue(portal.deps));
    expect(await failedWork(portal)).toMatchObject([{ job: 'tournament closes', subject: id }])
    expect((await teamsOf(id, 'absent')).length - before.length).toBe(
      Math.floor((300 * SCALE + 1) / TEAMS_AT_ONCE - 1) * TEAMS_AT_ONCE,
    )
    await cure()
    const killed = {
      ...testBeacon.chain,
      get hash(): string {
        throw new Error('killed here')
      },
    }
    const parts: number[] = []
    for (;;) {
      let hasMore = false
      const part = await statementsOf(async () => {
        hasMore = await closeDue({ ...portal.deps, beacon: { chain: killed } })
      })
      parts.push(part.length)
      if (!hasMore) break
    }
    expect(await failedWork(portal)).toMatchObject([{ error: 'killed here' }])
    expect((await referee.read(id)).draw_round).toBeNull()
    await sql`DELETE FROM failed_work`.execute(portal.db)
    while (await closeDue(portal.deps));
    expect(Math.max(...parts)).toBeLessThanOrEqual(STATEMENTS_MAX)
    expect(Math.max(...(await rowsWritten()))).toBeLessThanOrEqual(TEAMS_AT_ONCE)

    // As if all had been done at once.
    const admitted = inOrder(crowd.present, [paying])
    const places = 2 ** MAX_ROUND - (crowd.present.length + crowd.unpaid.length)
    const movedUp = crowd.waiting.slice(0, places)
    const held = inOrder(crowd.unpaid.slice(1), movedUp)
    const out = inOrder([absent], crowd.absent, crowd.unpaidAbsent, crowd.waitingAbsent)
    expect(await teamsOf(id, 'admitted')).toEqual(admitted)
    expect(await teamsOf(id, 'held')).toEqual(held)
    expect(await teamsOf(id, 'waiting')).toEqual(crowd.waiting.slice(places))
    expect(await teamsOf(id, 'absent')).toEqual(out)
    expect(await teamsOf(id, 'not-admitted')).toEqual(crowd.incomplete)
    expect(await teamsOf(id, 'left')).toEqual([left])
    // Each fee of whoever is out is given back once, and of nobody else.
    expect(await teamsCharged(id, 'refunding')).toEqual(
      inOrder([left, absent], crowd.absent, crowd.unpaidAbsent),
    )
    expect(await teamsCharged(id, 'applied')).toEqual(admitted)
    expect(await teamsCharged(id, 'pending')).toEqual(held)
    const { body: draw } = await portal.call('GET', `/api/tournaments/${id}/draw`)
    expect(verifyDraw(draw).map(({ of }) => of)).toEqual(['pending'])
    const listed = (hasPlace: boolean) =>
      draw.teams.filter((team: { has_place: boolean }) => team.has_place === hasPlace)
    expect(listed(true).map((team: { id: string }) => team.id)).toEqual(inOrder(admitted, held))
    expect(listed(false)).toHaveLength(crowd.waiting.length - movedUp.length)
    const told = await rowsOf(sql<{ event: string; count: number }>`
      SELECT data ->> 'event' AS event, count(*)::integer AS count FROM notice
       WHERE data ->> 'tournamentId' = ${id} AND user_id > 1000000 GROUP BY 1 ORDER BY 1`)
    expect(told).toEqual([
      { event: 'team-admitted', count: 2 },
      { event: 'team-got-place', count: movedUp.length },
      { event: 'team-out', count: out.length - 1 },
    ])
  })

  test('lets nobody change by when teams had to check in, before it is over', async () => {
    const id = await aTournament()
    await addCrowd(portal, id, { absent: TEAMS_AT_ONCE + 1 })
    await referee.act(id, '/close')
    const read = await referee.read(id)
    const fields = {
      ...OPEN_TO_ALL,
      name: read.name,
      fee: 100,
      mode: read.mode,
      type: 1,
      max_round: MAX_ROUND,
    }
    const { registration_start_at, updated_at } = read
    const { status, body } = await referee.send('PUT', referee.at(id), {
      ...fields,
      registration_start_at,
      competition_start_at: inDays(3),
      updated_at,
    })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['competition_start_at']])
    while (await closeDue(portal.deps));
    expect(await teamsOf(id, 'absent')).toHaveLength(TEAMS_AT_ONCE + 1)
  })
})

test('the draw of a large tournament puts out in parts who is not in it, and a fee that the game takes meanwhile is given back', async () => {
  const id = await aTournament()
  const crowd = await addCrowd(portal, id, {
    present: 5 * SCALE,
    unpaid: 400 * SCALE,
    waiting: 30 * SCALE,
  })
  await sql`UPDATE teams SET state = 'waiting', held_until = NULL WHERE id = ANY(${crowd.waiting}::bigint[])`.execute(
    portal.db,
  )
  await referee.act(id, '/close')
  while (await closeDue(portal.deps));
  const fees = await claimCharges(portal.deps, 10_000)
  const rowsWritten = await openRowsWritten(id)
  const updated_at = await referee.updatedAt(id)
  const sent = await statementsOf(async () => {
    const { status, body } = await referee.send('POST', referee.at(id, '/draw'), { updated_at })
    expect(body).toMatchObject({ phase: 'running' })
    expect(status).toBe(200)
  })
  expect(sent.length).toBeLessThanOrEqual(STATEMENTS_MAX)
  const others = inOrder(crowd.unpaid, crowd.waiting)
  expect(await teamsOf(id, 'not-admitted')).toEqual(others.slice(0, TEAMS_AT_ONCE))

  const late = crowd.unpaid.at(-1)!
  await answerFees(fees, [late])
  expect([await teamsOf(id, 'admitted'), await teamsCharged(id, 'applied')]).toEqual([
    crowd.present,
    inOrder(crowd.present, [late]),
  ])
  // One that cannot be put out leaves the others.
  const { cure } = await poison(portal, { table: 'teams', id: late })
  while (await followUp(portal.deps));
  expect(await teamsOf(id, 'held')).toEqual([late])
  expect(await failedWork(portal)).toMatchObject([{ job: 'tournament follow-up', subject: `team ${late}` }])
  await cure()
  while (await followUp(portal.deps));
  expect(await failedWork(portal)).toEqual([])
  expect(await teamsOf(id, 'not-admitted')).toEqual(others)
  expect(await teamsCharged(id, 'applied')).toEqual(crowd.present)
  expect(await teamsCharged(id, 'refunding')).toEqual(others)
  expect(verifyDraw((await portal.call('GET', `/api/tournaments/${id}/draw`)).body)).toEqual([])
  // The order of the draw is written in one go, by one statement.
  const [, charges = 0, notices = 0] = await rowsWritten()
  expect(Math.max(charges, notices)).toBeLessThanOrEqual(TEAMS_AT_ONCE)
})

test('a large tournament that is cancelled answers at once, and gives back each fee once, in parts, wherever it is killed', async () => {
  const id = await aTournament()
  const entrant = await anEntrant(portal)
  const { body: team } = await signUp(portal, id, entrant)
  await answerFees(await claimCharges(portal.deps, 10_000), [team.id])
  const crowd = await addCrowd(portal, id, { present: 200 * SCALE, unpaid: 520 * SCALE, waiting: 10 })
  const paid = inOrder(crowd.present, [team.id])
  const all = inOrder(crowd.unpaid, paid)
  const fees = await claimCharges(portal.deps, 10_000)
  const rowsWritten = await openRowsWritten(id)
  const updated_at = await referee.updatedAt(id)
  const sent = await statementsOf(async () => {
    const { status } = await referee.send('POST', referee.at(id, '/cancel'), { updated_at })
    expect(status).toBe(200)
  })
  expect(sent.length).toBeLessThanOrEqual(STATEMENTS_MAX)
  const audited = await rowsOf(sql<{ isSame: boolean }>`
    SELECT a.xmin = t.xmin AS "isSame" FROM audit_log a, tournaments t
     WHERE a.action = 'tournaments.cancel' AND a.subject_id = ${id} AND t.id = ${id}::bigint`)
  expect(audited).toEqual([{ isSame: true }])
  // Operators see how much is left, and players that theirs is coming.
  const left = await teamsCharged(id, 'pending')
  expect([left.length > 0, await teamsCharged(id, 'applied')]).toEqual([true, paid])
  expect((await referee.read(id)).fees_to_return).toBe(all.length)
  expect(await ownTeam(portal, id, entrant)).toMatchObject({ charges: [{ state: 'refunding' }] })

  // The game answers about fees whose turn has not come: nobody is in a tournament that does not take place.
  await answerFees(fees, left.slice(0, 1))
  await answerFees(fees, left.slice(1, 2), { kind: 'refused', reason: 'insufficient' })
  expect(await teamsCharged(id, 'applied')).toEqual(inOrder(paid, left.slice(0, 1)))
  expect(await teamsOf(id, 'admitted')).toEqual(paid)
  const [charge] = await rowsOf(sql<{ id: string }>`
    SELECT id FROM tournament_charges WHERE team_id = ${paid.at(-1) ?? ''}::bigint`)
  const poisons = [
    await poison(portal, { table: 'tournament_charges', id: charge?.id ?? '' }),
    await poison(portal, { table: 'tournaments', id }),
  ]
  while (await followUp(portal.deps));
  const charged = all.filter((team) => team !== left[1])
  expect(await teamsCharged(id, 'refunding')).toEqual(charged.filter((team) => team !== paid.at(-1)))
  expect(await failedWork(portal)).toMatchObject([
    { job: 'tournament follow-up', subject: `cancelled ${id}` },
    { job: 'tournament follow-up', subject: `fee ${charge?.id}` },
  ])
  for (const { cure } of poisons) await cure()
  while (await followUp(portal.deps));
  expect(await failedWork(portal)).toEqual([])
  expect(await teamsCharged(id, 'refunding')).toEqual(charged)
  const told = await rowsOf(sql<{ event: string; count: number }>`
    SELECT data ->> 'event' AS event, count(*)::integer AS count FROM notice
     WHERE data ->> 'tournamentId' = ${id} AND user_id > 1000000 GROUP BY 1`)
  expect(told).toEqual([{ event: 'tournament-cancelled', count: all.length - 1 + crowd.waiting.length }])
  const [, charges = 0, notices = 0] = await rowsWritten()
  expect([charges, notices]).toEqual([500, TEAMS_AT_ONCE])
  // Two workers have found the same charge: what the second comes to is on its way already.
  expect(await refundCancelled(portal.db, [charge?.id ?? ''])).toBe(0)
  expect((await referee.read(id)).fees_to_return).toBe(charged.length)
})

test('whoever comes while others wait stands behind them, also where a place is free', async () => {
  const id = await aTournament({ max_round: 3 })
  const { waiting } = await addCrowd(portal, id, { waiting: 8 })
  const entrant = await anEntrant(portal)
  const { body } = await signUp(portal, id, entrant)
  expect(body).toMatchObject({ state: 'waiting', position: waiting.length + 1 })
})

test.runIf(hasAllCases)('a tournament without a limit has as many places as a bracket', async () => {
  const id = await aTournament({ max_round: 0, fee: 0 })
  await addCrowd(portal, id, { present: 4_095 })
  const states: string[] = []
  for (const entrant of [await anEntrant(portal), await anEntrant(portal)])
    states.push((await signUp(portal, id, entrant)).body.state)
  expect(states).toEqual(['admitted', 'waiting'])
  await sql`UPDATE teams SET checked_in_at = now() WHERE tournament_id = ${id}::bigint`.execute(portal.db)
  const { body } = await referee.draw(id)
  expect(body).toMatchObject({ phase: 'running' })
  expect((await referee.read(id)).matches).toHaveLength(4_096)
  expect(verifyDraw((await portal.call('GET', `/api/tournaments/${id}/draw`)).body)).toEqual([])
})
