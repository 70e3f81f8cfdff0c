import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { printReconciliation, printTrailCheck } from '#server/cli/reports.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { aNotification, deliver, openAccounts, payment } from '#tests/support/bank.ts'
import { asOwner } from '#tests/support/databases.ts'
import { runCommand } from '#tests/support/processes.ts'

/*
 * A row of the audit trail, of the ledger and of the payment events, changed: refused to the portal's own role; made by
 * somebody with more rights, it is found by the command for it and shown on the overview, which reads the alarms.
 */
const portal = useTestApp()
const { owner } = useOperators(portal, { owner: 'owner' })
beforeAll(async () => {
  await openAccounts(portal)
  const { player, order } = await payment(portal)
  const paid = await deliver(portal, aNotification({ content: order.code }))
  const body = { scope: 'trading', until: null, reason: 'Một dòng nhật ký' }
  const banned = await portal.call('POST', `/api/operator/users/${player.id}/ban`, {
    token: owner.token,
    body,
  })
  invariant(paid.status === 200 && banned.status === 200, 'there is something to change')
})

type Print = (line: string) => void
type Planted = {
  table: string
  change: string
  remove: string
  /** What finds it, and what it prints. */
  command(print: Print): Promise<number>
  message: RegExp
  alarm: string
}

// Without a process, which takes a second of CPU time: one is below, one in command-line.db.test.ts.
const reconcile = (print: Print) => printReconciliation(portal.deps, portal.appUrl, print)
const verifyTrail = (print: Print) => printTrailCheck(portal.deps, print)
const RECONCILE = { command: reconcile, alarm: 'ledger-broken' }
const EVENT = { ...RECONCILE, message: /^R12 +[1-9]/m }
const ONE_EVENT = 'WHERE id = (SELECT min(id) FROM payment_event)'
const ONE_ENTRY = 'WHERE transfer_id = (SELECT min(transfer_id) FROM ledger_entry) AND amount > 0'

const planted: Planted[] = [
  {
    table: 'audit_log',
    change: `UPDATE audit_log SET reason = 'Lý do khác' WHERE seq = (SELECT max(seq) FROM audit_log)`,
    remove: 'DELETE FROM audit_log WHERE seq = (SELECT max(seq) FROM audit_log)',
    command: verifyTrail,
    message: /broken at row \d+ \(hash\)/,
    alarm: 'audit-chain-broken',
  },
  {
    table: 'ledger_entry',
    change: `UPDATE ledger_entry SET amount = amount + 1, balance_after = balance_after + 1 ${ONE_ENTRY}`,
    remove: `DELETE FROM ledger_entry ${ONE_ENTRY}`,
    ...RECONCILE,
    message: /^R2 +[1-9]/m,
  },
  {
    table: 'ledger_account',
    change: `UPDATE ledger_account SET balance = balance + 1 WHERE kind = 'user_wallet'`,
    remove: `DELETE FROM ledger_account WHERE kind = 'user_wallet'`,
    ...RECONCILE,
    message: /^R1 +1/m,
  },
  ...['amount = amount + 1', `bank_ref = 'FT-KHAC'`].map((set) => ({
    table: 'payment_event',
    change: `UPDATE payment_event SET ${set} ${ONE_EVENT}`,
    remove: `DELETE FROM payment_event ${ONE_EVENT}`,
    ...EVENT,
  })),
  {
    table: 'payment_event_body',
    change: `UPDATE payment_event_body SET code = 'TCXAAAAAAAAAA'`,
    // Bodies are erased when they are old, so the role may remove one.
    remove: 'TRUNCATE payment_event_body',
    ...EVENT,
  },
]

const alarms = async () => {
  const { body } = await portal.call('GET', '/api/operator/alarms', { token: owner.token })
  return (body as { name: string }[]).map(({ name }) => name)
}

/** Makes the rows of a table as they were before the change, too. */
async function whileChanged(table: string, change: string, check: () => Promise<void>): Promise<void> {
  const unguarded = (text: string) => asOwner(portal, `SET session_replication_role = replica; ${text}`)
  await unguarded(`CREATE TABLE kept_rows AS SELECT * FROM ${table}; ${change}`)
  try {
    await check()
  } finally {
    const isIdentity =
      table === 'payment_event' || table === 'ledger_account' ? 'OVERRIDING SYSTEM VALUE' : ''
    await unguarded(
      `DELETE FROM ${table}; INSERT INTO ${table} ${isIdentity} SELECT * FROM kept_rows; DROP TABLE kept_rows`,
    )
  }
}

/** Of the rows as nobody has changed them: before the first change, and again when the last was taken back. */
async function expectNothingFound(): Promise<void> {
  expect([await verifyTrail(() => {}), await reconcile(() => {})]).toEqual([0, 0])
  const shown = await alarms()
  expect(planted.filter(({ alarm }) => shown.includes(alarm))).toEqual([])
}

describe('a planted change', { timeout: 60_000 }, () => {
  test('is not found before it is made', expectNothingFound)

  test.each(planted)('$change: refused to the role, found, and shown', async (one) => {
    for (const statement of [one.change, one.remove])
      await expect(sql.raw(statement).execute(portal.db)).rejects.toMatchObject({ code: '42501' })
    await whileChanged(one.table, one.change, async () => {
      const lines: string[] = []
      const code = await one.command((line) => void lines.push(line))
      expect([code, lines.join('\n')]).toEqual([1, expect.stringMatching(one.message)])
      expect(await alarms()).toContain(one.alarm)
    })
  })

  test('a payment event that is gone is missed', async () => {
    const remove = `DELETE FROM payment_event ${ONE_EVENT}`
    await whileChanged('payment_event', remove, async () => {
      const { code, output } = await runCommand(portal, ['reconcile'])
      expect([code, output]).toEqual([1, expect.stringMatching(/^R12 +[1-9]/m)])
    })
  })

  test('is no longer found when it was taken back', expectNothingFound)
})
