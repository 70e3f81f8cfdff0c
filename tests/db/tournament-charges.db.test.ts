import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { claimCharges, sendCharge } from '#server/modules/tournaments/charges.service.ts'
import {
  anEntrant,
  luongOfEntrant,
  OPEN_TO_ALL,
  signUp,
  takeFees,
} from '#server/modules/tournaments/testing/sign-up.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'

const portal = useTestApp()
const referee = useReferee(portal)

/** A player who signs up for a fee; `leave` withdraws the team. */
async function aFee() {
  const id = await referee.aTournament({ ...OPEN_TO_ALL, fee: 100 })
  const entrant = await anEntrant(portal, { luong: 100 })
  const { body } = await signUp(portal, id, entrant)
  const path = `/api/tournaments/${id}/teams/${body.id}`
  const leave = () => portal.call('DELETE', path, { token: entrant.player.token })
  const state = async () => {
    const { rows } = await sql<{ state: string }>`
      SELECT state FROM tournament_charges WHERE team_id = ${body.id}::bigint`.execute(portal.db)
    return rows[0]?.state
  }
  return { entrant, leave, state }
}

/** Sends what is due once, to a game that has no call for charges. */
async function sendWithoutCharges(): Promise<void> {
  const game = { ...portal.deps.game, refundCharge: async () => 'not-supported' as const }
  for (const charge of await claimCharges(portal.deps, 50)) await sendCharge({ ...portal.deps, game }, charge)
}

test('a game without charges has nothing to give back of a fee that it never took', async () => {
  const { leave, state } = await aFee()
  await leave()
  await sendWithoutCharges()
  expect(await state()).toBe('refunded')
})

test('what was taken stays to be given back while the game says that it has no charges', async () => {
  const { entrant, leave, state } = await aFee()
  await takeFees(portal)
  await leave()
  await sendWithoutCharges()
  expect(await state()).toBe('refunding')
  await sql`UPDATE tournament_charges SET next_attempt_at = now()`.execute(portal.db)
  await takeFees(portal)
  expect([await state(), await luongOfEntrant(portal, entrant)]).toEqual(['refunded', 100])
})

test('a fee that the game takes while the team leaves is given back', async () => {
  const { entrant, leave, state } = await aFee()
  const game = {
    ...portal.deps.game,
    async charge(charge: Parameters<typeof portal.deps.game.charge>[0]) {
      const outcome = await portal.deps.game.charge(charge)
      await leave()
      return outcome
    },
  }
  for (const charge of await claimCharges(portal.deps, 50)) await sendCharge({ ...portal.deps, game }, charge)
  expect([await state(), await luongOfEntrant(portal, entrant)]).toEqual(['refunding', 0])
  await takeFees(portal)
  expect([await state(), await luongOfEntrant(portal, entrant)]).toEqual(['refunded', 100])
})
