import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { expectReconciled } from '#tests/support/ledger.ts'
import { balanceOf } from '#tests/support/bank.ts'
import { aClaim } from '#tests/support/uploads.ts'
import { anOperator } from '#tests/support/operators.ts'
import { aPlayer, type TestPlayer } from '#tests/support/players.ts'
import { openCashDesk, type CashDesk } from '../testing/cash-desk.ts'

let desk: CashDesk

beforeAll(async () => {
  desk = await openCashDesk()
})
afterAll(() => desk.portal.close())
afterEach(() => expectReconciled(desk.portal))

async function claimsOf({ token }: TestPlayer) {
  const answer = await desk.portal.call('GET', '/api/recharge/claims', { token })
  return (answer.body as { data: { status: string; message: string | null }[] }).data
}

test('a credit settles the claim it was made for, in the same act', async () => {
  const player = await aPlayer(desk.portal)
  const claim = await aClaim(desk.portal, player)
  const id = await desk.arrives()
  const answer = await desk.done(id, 'credit', { username: player.username, claim_id: claim })
  expect(answer).toMatchObject({ status: 'done', state: 'credited' })
  expect(await balanceOf(desk.portal, player)).toBe(50_000)
  expect(await claimsOf(player)).toMatchObject([
    { status: 'settled', message: expect.stringContaining('đã được cộng') as string },
  ])
})

test('a claim of somebody else, or one that never was, leaves the money where it is', async () => {
  const player = await aPlayer(desk.portal)
  const other = await aPlayer(desk.portal)
  const claim = await aClaim(desk.portal, other)
  const id = await desk.arrives()
  for (const claim_id of [claim, '999999999']) {
    const answer = await desk.act(id, 'credit', { username: player.username, claim_id })
    expect(answer.status).toBe(422)
  }
  expect(await balanceOf(desk.portal, player)).toBe(0)
  expect((await desk.transfer(id)).state).toBe('review')
  expect(await claimsOf(other)).toMatchObject([{ status: 'open' }])
})

test('a credit that waits for a second person leaves the claim open', async () => {
  const player = await aPlayer(desk.portal)
  const claim = await aClaim(desk.portal, player)
  const id = await desk.arrives({ transferAmount: 2_000_000 })
  const answer = await desk.done(id, 'credit', { username: player.username, claim_id: claim })
  expect(answer.status).toBe('waiting')
  expect(await claimsOf(player)).toMatchObject([{ status: 'open' }])
})

test('support answers claims, which moves no money; the credit stays with the cashiers', async () => {
  const { portal } = desk
  const support = await anOperator(portal, 'support')
  const player = await aPlayer(portal)
  const [rejected, settled] = [await aClaim(portal, player), await aClaim(portal, player)]
  const id = await desk.arrives()
  const send = (path: string, body: object) =>
    portal.call('POST', `/api/operator/${path}`, {
      token: support.token,
      body: { reason: 'Khớp biên lai', ...body },
    })
  const credit = await send(`bank-transfers/${id}/credit`, { username: player.username, claim_id: settled })
  expect(credit.status).toBe(403)
  await desk.done(id, 'credit', { username: player.username })
  const message = 'Đã cộng vào ví của bạn.'
  const answers = [
    await send(`recharge-claims/${settled}/answer`, {
      outcome: 'settled',
      bank_transaction_id: id,
      message,
    }),
    await send(`recharge-claims/${rejected}/answer`, { outcome: 'rejected', message: 'Chưa thấy.' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(await claimsOf(player)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ status: 'settled', message }),
      expect.objectContaining({ status: 'rejected' }),
    ]),
  )
  expect(await balanceOf(portal, player)).toBe(50_000)
})
