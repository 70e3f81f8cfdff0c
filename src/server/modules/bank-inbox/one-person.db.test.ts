import { expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { aTransfer, assertBooks, balanceOf, openAccounts } from '#tests/support/bank.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'

const portal = useTestApp({ environment: { TWO_PEOPLE: '0' } })

test('with TWO_PEOPLE=0 one person credits and takes back what is above the limit, at once', async () => {
  await openAccounts(portal)
  const owner = await anOperator(portal, 'owner')
  const player = await aPlayer(portal)
  const id = await aTransfer(portal, { transferAmount: 3_000_000 })
  const act = (name: string, body: object) =>
    portal.call('POST', `/api/operator/bank-transfers/${id}/${name}`, {
      token: owner.token,
      body: { reason: 'Khách gửi biên lai', ...body },
    })
  const credited = await act('credit', { user_id: player.id })
  expect([credited.status, credited.body]).toMatchObject([200, { status: 'done', proposal: null }])
  expect(await balanceOf(portal, player)).toBe(3_000_000)
  expect((await act('reverse-credit', {})).status).toBe(200)
  expect(await balanceOf(portal, player)).toBe(0)
  await assertBooks(portal)
})
