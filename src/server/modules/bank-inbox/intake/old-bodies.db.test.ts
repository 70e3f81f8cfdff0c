import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwner } from '#tests/support/databases.ts'
import { eraseOldBodies } from './payment-events.service.ts'
import { openCashDesk, type CashDesk } from '../testing/cash-desk.ts'

let desk: CashDesk

beforeAll(async () => {
  desk = await openCashDesk()
})
afterAll(() => desk.portal.close())

/** A transfer whose notification came `age` ago and stands as `status`. */
async function arrived(status: string, age: string): Promise<string> {
  const id = await desk.arrives({ content: 'NGUYEN VAN A' })
  await asOwner(
    desk.portal,
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE payment_event SET status = '${status}', received_at = now() - interval '${age}'
      WHERE bank_transaction_id = ${id}; COMMIT`,
  )
  return id
}

test('what the payer wrote is erased 24 months after its notification was handled', async () => {
  const kept = [await arrived('review', '25 months'), await arrived('applied', '23 months')]
  const erased = [await arrived('applied', '25 months'), await arrived('ignored', '25 months')]
  expect(await eraseOldBodies(desk.portal.deps)).toBe(false)
  for (const id of kept) expect(await desk.transfer(id)).toMatchObject({ memo: 'NGUYEN VAN A' })
  for (const id of erased) {
    expect(await desk.transfer(id)).toMatchObject({ memo: null, events: [{ memo: null, full_text: null }] })
  }
})
