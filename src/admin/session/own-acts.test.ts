import { expect, test } from 'vitest'
import { asOwnAct, isOwnAct } from './own-acts.ts'

const CREDIT = { method: 'POST', path: '/operator/bank-transfers/{id}/credit' } as const

test('what an operator’s own act brings about is no news to them, also when the news comes first', async () => {
  const { promise, resolve } = Promise.withResolvers<never>()
  const act = asOwnAct(CREDIT, promise)
  const early = isOwnAct('proposals', '7')
  resolve({ id: '3', proposal: { id: '7' } } as never)
  await act
  expect(await early).toBe(true)
  expect(await isOwnAct('bank-transfers', '3')).toBe(true)
})

test('what somebody else does is news: another id, another kind, an act that was refused, a read', async () => {
  await asOwnAct(CREDIT, Promise.resolve({ id: '20', proposal: null } as never))
  await asOwnAct({ ...CREDIT, method: 'GET' }, Promise.resolve({ id: '22' } as never))
  await expect(asOwnAct(CREDIT, Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  expect(await isOwnAct('bank-transfers', '21')).toBe(false)
  expect(await isOwnAct('proposals', '20')).toBe(false)
  expect(await isOwnAct('bank-transfers', '22')).toBe(false)
})

test('several proposals of one act, and the transfer of an accepted notification', async () => {
  const settings = { method: 'PUT', path: '/operator/settings' } as const
  await asOwnAct(settings, Promise.resolve({ proposals: [{ id: '30' }, { id: '31' }] } as never))
  const accept = { method: 'POST', path: '/operator/payment-events/{id}/accept' } as const
  await asOwnAct(accept, Promise.resolve({ id: '32' } as never))
  expect(
    await Promise.all([
      isOwnAct('proposals', '30'),
      isOwnAct('proposals', '31'),
      isOwnAct('bank-transfers', '32'),
    ]),
  ).toEqual([true, true, true])
})
