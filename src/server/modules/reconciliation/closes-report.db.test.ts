import { afterAll, beforeAll, expect, test } from 'vitest'
import { printClose, printPull } from '#server/cli/reports.ts'
import { ACB } from '#tests/support/payment-keys.ts'
import { openAccounts } from '#tests/support/bank.ts'
import { aTransfer, startPollingApp, type PollingApp } from '#tests/support/polled-providers.ts'
import { dayOf } from './daily-close.rules.ts'
import { aDay, transferOf } from './testing/days.ts'

let asked: PollingApp
beforeAll(async () => {
  asked = await startPollingApp(['sepay'])
  await openAccounts(asked.test)
})
afterAll(() => asked.close())

const printed = async (work: (print: (line: string) => void) => Promise<number>) => {
  const lines: string[] = []
  const code = await work((line) => lines.push(line))
  return { code, lines }
}

test('closes a day with a row per account, and fails when one is red', async () => {
  const { day, noon } = aDay()
  await transferOf(asked, noon, { amount: 12_345 })
  const uncompared = await printed((print) => printClose(asked.test.deps, day, print))
  expect(uncompared.code).toBe(0)
  expect(uncompared.lines).toHaveLength(2)
  expect(uncompared.lines[0]).toMatch(/ 0011000000001 +not-compared  bank no statement  arrived 12,345 \(1\)/)
  aTransfer(asked.bank, { account: ACB.number, bookedAt: noon })
  asked.bank.strayRows.push('x')
  const red = await printed((print) => printPull(asked.test.deps, day, print))
  asked.bank.strayRows.length = 0
  expect(red.code).toBe(1)
  expect(red.lines[0]).toMatch(/ red +bank 12,345 \(1\)/)
  expect(red.lines[1]).toContain('bank-unreadable: rows of the bank’s list could not be read')
  expect(red.lines[2]).toMatch(/ 123456789 .*arrived 50,000 \(1\)  credited 0  review 50,000/)
})

test('fails when a list could not be read, however the day stands', async () => {
  const { day, noon } = aDay()
  await transferOf(asked, noon)
  expect((await printed((print) => printPull(asked.test.deps, day, print))).code).toBe(0)
  asked.bank.breakPath('/userapi', 'error')
  const { code, lines } = await printed((print) => printPull(asked.test.deps, day, print))
  asked.bank.breakPath('/userapi', null)
  expect([code, lines[0], lines.at(-1)]).toEqual([
    1,
    expect.stringContaining(' green         bank 50,000 (1)'),
    expect.stringContaining('2 lists could not be read'),
  ])
})

test('keeps nothing of a day that is not over, and asks for what is new', async () => {
  const today = dayOf(new Date())
  expect((await printed((print) => printClose(asked.test.deps, today, print))).lines[0]).toMatch(
    /is not over/,
  )
  const kept = asked.test.db.selectFrom('daily_close').select('id').where('day', '>=', new Date())
  expect(await kept.execute()).toEqual([])
  await expect(printClose(asked.test.deps, '2999-01-01', () => {})).rejects.toThrow('has not come yet')
  aTransfer(asked.bank, { account: ACB.number })
  const pulled = await printed((print) => printPull(asked.test.deps, undefined, print))
  expect(pulled).toEqual({ code: 0, lines: ['1 transfers were not known, 0 lists could not be read'] })
})
