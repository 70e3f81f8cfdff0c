import { expect, test } from 'vitest'
import type { OperatorTournament } from '#contract/operator/tournaments.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useReferee } from '#tests/support/fixtures.ts'
import { anEntrant, OPEN_TO_ALL, signUp, takeFees } from './testing/sign-up.ts'

const portal = useTestApp()
const referee = useReferee(portal)

test('the console sees of each team who registered it, its state, and what is taken and given back', async () => {
  const id = await referee.aTournament({ ...OPEN_TO_ALL, fee: 100, max_round: 2, check_in_minutes: 0 })
  await referee.addTeams(id, [{ name: 'Bạch Vân', members: ['Mây'] }])
  const [paid, poor, left] = await Promise.all([
    anEntrant(portal, { luong: 100 }),
    anEntrant(portal),
    anEntrant(portal, { luong: 100 }),
  ])
  await signUp(portal, id, paid, { name: 'Đủ Lượng' })
  await signUp(portal, id, poor, { name: 'Thiếu Lượng' })
  const { body } = await signUp(portal, id, left, { name: 'Rút Lui' })
  await takeFees(portal)
  await portal.call('DELETE', `/api/tournaments/${id}/teams/${body.id}`, { token: left.player.token })
  const fees = (change: object = {}) => ({ pending: 0, taken: 0, refunding: 0, refunded: 0, ...change })
  const read = async (): Promise<OperatorTournament> => referee.read(id)
  const { teams, withdrawn } = await read()
  expect(teams).toEqual([
    expect.objectContaining({ name: 'Bạch Vân', is_registered: false, has_checked_in: true, fees: fees() }),
    expect.objectContaining({
      name: 'Đủ Lượng',
      state: 'admitted',
      is_registered: true,
      has_checked_in: false,
      held_until: null,
      fees: fees({ taken: 100 }),
    }),
    expect.objectContaining({
      name: 'Thiếu Lượng',
      state: 'held',
      held_until: expect.any(String),
      fees: fees(),
    }),
  ])
  expect(withdrawn).toEqual([
    expect.objectContaining({ name: 'Rút Lui', withdrawn_for: 'left', fees: fees({ refunding: 100 }) }),
  ])
  await takeFees(portal)
  expect((await read()).withdrawn[0]?.fees).toEqual(fees({ refunded: 100 }))
})
