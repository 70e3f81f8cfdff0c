import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { ALARM_NAMES, type Waiting } from '#contract/operator/alarms.ts'
import { useTestApp } from '#tests/support/app.ts'
import { asOwner, aTransfer, openAccounts } from '#tests/support/bank.ts'
import { aFreshOperator, anOperator, type TestOperator } from '#tests/support/operators.ts'
import { ALARMS } from './alarms.rules.ts'

const portal = useTestApp()
let owner: TestOperator
let referee: TestOperator
let cashier: TestOperator
beforeAll(async () => {
  await openAccounts(portal)
  owner = await aFreshOperator(portal, 'owner')
  referee = await anOperator(portal, 'referee')
  cashier = await anOperator(portal, 'cashier')
})

const alarms = async ({ token }: { token: string } = owner) =>
  (await portal.call('GET', '/api/operator/alarms', { token })).body as { name: string; count: number }[]
const names = async (who?: TestOperator) => (await alarms(who)).map(({ name }) => name)

describe('alarms', () => {
  test('are none in a sound portal, and each has its runbook', async () => {
    expect(await names()).toEqual([])
    for (const name of ALARM_NAMES) {
      expect((await readFile(`docs/runbooks/${ALARMS[name].runbook}`, 'utf8')).length).toBeGreaterThan(100)
    }
  })

  test('count money that waits for more than an hour, with its oldest, for those who may read it', async () => {
    const id = await aTransfer(portal)
    expect(await names()).toEqual([])
    await asOwner(
      portal,
      "UPDATE bank_transaction SET created_at = now() - interval '2 hours' WHERE id = $1",
      [id],
    )
    expect(await alarms(cashier)).toEqual([
      { name: 'unmatched-transfers', count: 1, oldest: expect.any(String), runbook: 'money-in.md' },
    ])
    expect(await names(referee)).toEqual([])
  })

  test('tell of a proposal and a failed mail, those who may read them', async () => {
    await asOwner(
      portal,
      `INSERT INTO proposal (kind, subject, payload, reason, proposed_by)
       VALUES ('setting', 'manual_credit_limit', '{}', 'Thử cảnh báo', $1)`,
      [owner.id],
    )
    await asOwner(portal, "INSERT INTO mail_outbox (kind, sealed, last_error) VALUES ('test', 'x', 'EAUTH')")
    expect(await names()).toEqual(expect.arrayContaining(['waiting-proposals', 'failed-mails']))
    expect(await names(cashier)).not.toContain('waiting-proposals')
  })
})

describe('where one person may do alone what two should', () => {
  const alone = useTestApp({ environment: { TWO_PEOPLE: '0' } })
  test('it says so for as long as it lasts', async () => {
    const { token } = await anOperator(alone, 'owner')
    const { body } = await alone.call('GET', '/api/operator/alarms', { token })
    expect(body).toEqual([{ name: 'one-person', count: 1, oldest: null, runbook: 'two-people.md' }])
  })
})

describe('the events of operators', () => {
  async function follow({ token }: { token: string }) {
    const answer = await portal.app.inject({
      method: 'GET',
      url: '/api/operator/events',
      headers: { authorization: `Bearer ${token}` },
      payloadAsStream: true,
    })
    const seen: Waiting[] = []
    const stream = answer.stream() as Readable
    // Each event is written as one piece.
    stream.on('data', (piece: Buffer) => {
      for (const [, data] of piece.toString().matchAll(/^data: (.*)$/gm))
        seen.push(JSON.parse(data!) as Waiting)
    })
    const ended = new Promise((resolve) => stream.once('end', resolve))
    return { seen, ended, stream, status: answer.statusCode }
  }

  test('say at once how much waits, and again when it changes; only of what the caller may read', async () => {
    const [watched, other] = [await follow(cashier), await follow(referee)]
    await expect.poll(() => watched.seen.length).toBe(1)
    const before = watched.seen[0]?.['bank-transfers']?.count ?? -1
    const id = await aTransfer(portal)
    await expect
      .poll(() => watched.seen.at(-1)?.['bank-transfers'], { timeout: 3_000 })
      .toEqual({ count: before + 1, newest: id })
    expect(Object.keys(watched.seen[0] ?? {})).toEqual(['bank-transfers', 'deliveries', 'proposals'])
    expect(other.seen).toEqual([{}])
    watched.stream.destroy()
    other.stream.destroy()
  })

  test('end with the session, and do not keep it in use', async () => {
    const operator = await anOperator(portal, 'cashier')
    const used = async () =>
      (
        await portal.db
          .selectFrom('sessions')
          .select('last_used_at')
          .where('user_id', '=', operator.id)
          .where('kind', '=', 'console')
          .executeTakeFirst()
      )?.last_used_at
    await asOwner(
      portal,
      "UPDATE sessions SET last_used_at = now() - interval '10 minutes' WHERE kind = 'console' AND user_id = $1",
      [operator.id],
    )
    const before = await used()
    const watched = await follow(operator)
    await expect.poll(() => watched.seen.length).toBe(1)
    expect(await used()).toEqual(before)
    await portal.call('DELETE', '/api/operator/session', { token: operator.token })
    await watched.ended
    expect((await follow(operator)).status).toBe(401)
  })

  test('end when their session is locked', async () => {
    const operator = await anOperator(portal, 'cashier')
    const watched = await follow(operator)
    await expect.poll(() => watched.seen.length).toBe(1)
    await asOwner(
      portal,
      "UPDATE sessions SET last_used_at = now() - interval '31 minutes' WHERE kind = 'console' AND user_id = $1",
      [operator.id],
    )
    await aTransfer(portal)
    const end = watched.ended.then(() => 'ended')
    expect(await Promise.race([end, sleep(5_000, 'still open')])).toBe('ended')
    expect(watched.seen).toHaveLength(1)
  })

  test('are for the console only', async () => {
    expect((await follow({ token: cashier.playerToken })).status).toBe(401)
  })
})
