import { expect, test } from 'vitest'
import { aTransfer, balanceOf } from '#tests/support/bank.ts'
import { expectReconciled } from '#tests/support/ledger.ts'
import { setProof } from '#tests/support/operators.ts'
import { aPlayer } from '#tests/support/players.ts'
import { useMomoDesk } from '#tests/support/momo-desk.ts'

const desk = useMomoDesk({ environment: { TWO_PEOPLE: '0' } })

test('with TWO_PEOPLE=0 one person credits and takes back what is above the limit, at once', async () => {
  const { portal, owner: by } = desk
  const player = await aPlayer(portal)
  const id = await aTransfer(portal, { transferAmount: 3_000_000 })
  const credited = await desk.act(id, 'credit', { user_id: player.id }, { by })
  expect([credited.status, credited.body]).toMatchObject([200, { status: 'done', proposal: null }])
  expect(await balanceOf(portal, player)).toBe(3_000_000)
  expect((await desk.act(id, 'reverse-credit', {}, { by })).status).toBe(200)
  expect(await balanceOf(portal, player)).toBe(0)
  await expectReconciled(portal)
})

test('with TWO_PEOPLE=0 one person sends money above the limit back at MoMo, again and again, after a fresh proof', async () => {
  const { portal, bank, owner } = desk
  const [first, other] = [await desk.money({ amount: 3_000_000 }), await desk.money({ amount: 2_000_000 })]
  await setProof(portal, owner, { isFresh: false })
  bank.calls.length = 0
  expect((await desk.refund(first, null, { by: owner })).body.code).toBe('STEP_UP_REQUIRED')
  expect(bank.calls).toEqual([])
  await setProof(portal, owner, { isFresh: true })
  for (const [id, amount] of [
    [first, 3_000_000],
    [other, 2_000_000],
  ] as const) {
    expect(await desk.refund(id, null, { by: owner })).toMatchObject({
      status: 200,
      body: {
        status: 'done',
        state: 'refunded',
        proposal: null,
        refund: { amount, asked_by: { id: owner.id } },
      },
    })
    expect(await desk.sentBack(id)).toEqual([amount])
    expect((await desk.transfer(id)).acts).toMatchObject([{ act: 'refund-at-gateway', details: { amount } }])
  }
  await expectReconciled(portal)
})
