import { beforeEach, describe, expect, test } from 'vitest'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { type Reconciliation, RECONCILIATION_RULES } from '#contract/operator/daily-closes.ts'
import { reconcileAndStore } from './index.ts'
import { runDueReconciliation } from './runs.service.ts'

const portal = useTestApp()
const { cashier, owner } = useOperators(portal, { cashier: 'cashier', owner: 'owner' })
beforeEach(() => asOwner(portal, 'DELETE FROM reconciliation_run'))

const PATH = '/api/operator/reconciliation'
const reason = 'Đối soát trước khi mở lại'

const start = (key?: string, { token } = cashier) =>
  portal.call('POST', PATH, { token, body: { reason }, ...(key === undefined ? {} : { key }) })
const read = async (): Promise<Reconciliation> =>
  (await portal.call('GET', PATH, { token: cashier.token })).body as Reconciliation
const runDue = () => runDueReconciliation(portal.deps)
const runs = () => portal.db.selectFrom('reconciliation_run').selectAll().orderBy('id').execute()
/** So that the day's own run is not due. */
const runToday = () => reconcileAndStore(portal.db)

describe('a run that an operator starts', () => {
  test('is answered at once, made by a worker, and stored with who requested it and how long it took', async () => {
    expect(await read()).toEqual({ running: null, last: null, failed_at: null })
    const answer = await start()
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ running: { by: { id: cashier.id } }, last: null })
    await runDue()
    const { running, last } = await read()
    expect(running).toBeNull()
    expect(last).toMatchObject({
      id: answer.body.running.id,
      origin: 'console',
      by: { id: cashier.id, username: cashier.username },
      finished_at: expect.any(String),
      found: 0,
    })
    expect(last?.took_ms).toBeGreaterThan(0)
    expect(last?.rules).toEqual(RECONCILIATION_RULES.map((rule) => ({ rule, found: 0, examples: [] })))
  })

  test('is one at a time, and one for its key', async () => {
    const key = 'a-key-of-this-run'
    const first = await start(key)
    expect((await start(key)).body).toEqual(first.body)
    expect(await start()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await runDue()
    expect((await start()).status).toBe(200)
    expect(await runs()).toHaveLength(2)
  })

  test('leaves a row in the audit trail with its reason', async () => {
    const { body } = await start()
    const filter = encodeURIComponent('{"action":"reconciliation.start"}')
    const trail = await portal.call('GET', `/api/operator/audit?filter=${filter}`, { token: owner.token })
    expect(trail.body[0]).toMatchObject({
      subject: { type: 'reconciliation', id: body.running.id },
      reason,
      details: { after: { running: body.running.id } },
    })
  })

  test('is made once when two processes take it', async () => {
    // Several times: one process may take its snapshot just before the other has finished.
    for (let round = 1; round <= 10; round++) {
      await start()
      await Promise.all([runDue(), runDue(), runDue()])
      expect((await read()).last?.found).toBe(0)
      expect(await runs()).toHaveLength(round)
    }
    expect(portal.logged()).not.toContain('reconciliation.broken')
  })

  test('that does not end is marked so, and the next may be requested', async () => {
    await runToday()
    await start()
    await asOwner(portal, 'ALTER TABLE first_gift RENAME TO first_gift_away')
    await runDue()
    await asOwner(portal, 'ALTER TABLE first_gift_away RENAME TO first_gift')
    const { running, last, failed_at } = await read()
    expect([running, last?.origin, failed_at]).toEqual([null, 'command', expect.any(String)])
    expect((await start()).status).toBe(200)
  })
})

describe('what a run finds', () => {
  test('is counted, named, bounded, and shown as an alarm until a run finds nothing', async () => {
    const alarm = async () => {
      const { body } = await portal.call('GET', '/api/operator/alarms', { token: cashier.token })
      return (body as { name: string }[]).find(({ name }) => name === 'ledger-broken')
    }
    await asOwner(portal, 'UPDATE ledger_account SET version = version + 1 WHERE user_id = $1', [owner.id])
    await start()
    await runDue()
    const { last } = await read()
    expect(last?.found).toBe(1)
    expect(last?.rules.find(({ rule }) => rule === 'R3')).toEqual({
      rule: 'R3',
      found: 1,
      examples: [{ kind: 'user', id: owner.id }],
    })
    expect(await alarm()).toMatchObject({ count: 1, oldest: last?.finished_at, runbook: 'ledger.md' })
    await asOwner(portal, 'UPDATE ledger_account SET version = version - 1 WHERE user_id = $1', [owner.id])
    await start()
    await runDue()
    expect(await alarm()).toBeUndefined()
  })
})

describe('the daily run', () => {
  test('is made when none was requested within a day, and not again before', async () => {
    await runDue()
    await runDue()
    expect((await runs()).map(({ origin }) => origin)).toEqual(['daily'])
    await asOwner(portal, "UPDATE reconciliation_run SET asked_at = asked_at - interval '25 hours'")
    await runDue()
    expect((await runs()).map(({ origin }) => origin)).toEqual(['daily', 'daily'])
  })
})
