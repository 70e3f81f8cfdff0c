import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { brokenChecks } from '#tests/support/ledger.ts'
import { hasAllCases } from '#tests/support/test-run.ts'
import { type DayWorld, openDay, PLAYERS, sometimesCut } from '#tests/support/tournament-day/day.ts'
import { deskActs, play } from '#tests/support/tournament-day/desk.ts'
import {
  actOfDay,
  announce,
  cancel,
  closeAndDraw,
  FEE,
  settleFees,
  signUpActs,
  type Tournament,
} from '#tests/support/tournament-day/registration.ts'
import { trailRows } from '#tests/support/trail-rows.ts'

const aDay = fc.record({
  mode: fc.constantFrom(0, 1),
  maxRound: fc.constantFrom(0, 1, 2, 3),
  fee: fc.constantFrom(0, FEE),
  hasCheckIn: fc.boolean(),
  entered: fc.integer({ min: 0, max: 9 }),
  rich: fc.integer({ min: 0, max: 2 ** PLAYERS - 1 }),
  before: signUpActs,
  after: deskActs,
  byHand: fc.boolean(),
  end: fc.constantFrom('played', 'played', 'cancelled'),
  cut: sometimesCut,
})

const portal = useTestApp()
let world: DayWorld
beforeAll(async () => {
  world = await openDay(portal)
})
afterAll(() => world.close())

/** Each act of an operator has its event and its row of the trail once, and the numbers have no gap. */
async function expectRecordedOnce({ id }: Tournament): Promise<void> {
  const events = await portal.db
    .selectFrom('tournament_events')
    .select(['number', 'kind', 'operator_id'])
    .where('tournament_id', '=', id)
    .orderBy('number')
    .execute()
  expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1))
  const all = (await trailRows(portal, { subject: { type: 'tournament', id } })).map(({ action }) => action)
  // The portal closes the list once, with the act that closes registration, or by itself.
  const acts = all.filter((action) => action !== 'tournaments.freeze')
  expect(all.length - acts.length).toBeLessThanOrEqual(1)
  const ofOperators = events.filter(({ operator_id }) => operator_id !== null)
  expect(acts).toEqual(['tournaments.create', ...ofOperators.map(({ kind }) => `tournaments.${kind}`)])
}

test(
  'days of random acts, each cut off in the middle and repeated, are what they would be if each was done once',
  async () => {
    await fc.assert(
      fc.asyncProperty(aDay, async (day) => {
        const tournament = await announce(world, day)
        for (const act of day.before) await actOfDay(tournament, act)
        if (day.end === 'played') await closeAndDraw(tournament, day)
        if (tournament.model.phase === 'drawn') await play(world, tournament.id, day.after)
        else await cancel(tournament, day.cut)
        await settleFees(tournament, day.cut)
        await expectRecordedOnce(tournament)
        expect(await brokenChecks(portal)).toEqual([])
      }),
      // The same few days each time, which are cut off often enough; others with all cases.
      { ...(hasAllCases ? { numRuns: 60 } : { numRuns: 1, seed: 20261126 }), endOnFailure: true },
    )
    expect(Math.min(world.met.cuts, world.met.repeated)).toBeGreaterThan(0)
  },
  hasAllCases ? 900_000 : 180_000,
)
