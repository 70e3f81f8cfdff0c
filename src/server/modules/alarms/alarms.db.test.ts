import { readFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect } from 'vitest'
import { ALARM_NAMES, type Alarm, type Waiting } from '#contract/operator/alarms.ts'
import { permissionsOf, PERMISSIONS } from '#contract/operator/roles.ts'
import { useTestApp } from '#tests/support/app.ts'
import { testWith, useOperators, usePlanner } from '#tests/support/fixtures.ts'
import { asOwner } from '#tests/support/databases.ts'
import { aTransfer, openAccounts } from '#tests/support/bank.ts'
import { aCase, onCase, sendMessage } from '#tests/support/cases.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { AS_IF_LARGE, readWhole } from '#tests/support/plans.ts'
import { PROVOKED } from '#tests/support/provoked-alarms.ts'
import { aClaim } from '#tests/support/uploads.ts'
import { ALARMS, readableAlarms } from './alarms.rules.ts'
import { watchAlarms, listAlarms, readWaiting } from './alarms.service.ts'

const portal = useTestApp()
const test = testWith(portal)

const { owner, referee, cashier } = useOperators(portal, {
  owner: 'owner',
  referee: 'referee',
  cashier: 'cashier',
})
beforeAll(async () => {
  await openAccounts(portal)
})

const alarms = async ({ token }: { token: string } = owner) =>
  (await portal.call('GET', '/api/operator/alarms', { token })).body as Alarm[]
const names = async (who?: TestOperator) => (await alarms(who)).map(({ name }) => name)

describe('plans', () => {
  const planner = usePlanner(portal, AS_IF_LARGE)

  const GROWING =
    /^(bank_transaction|payment_event|recharge_claim|help_case|help_message|proposal|deletion_request|gateway_refund|delivery|daily_close|mail_outbox)$/

  test('alarms and the counters of the menu read no growing table from end to end', async () => {
    const everything = { permissions: PERMISSIONS }
    const { queries, nodes } = await planner.plansOf(async () => {
      await listAlarms({ ...portal.deps, db: planner.db }, everything)
      await readWaiting(planner.db, everything)
    })
    expect(queries).toBe(2)
    expect(readWhole(nodes, GROWING)).toEqual([])
  })
})

describe('what waits', () => {
  test('is nothing in a sound portal, and each alarm has its runbook', async () => {
    expect(await names()).toEqual([])
    for (const name of ALARM_NAMES) {
      expect((await readFile(`docs/runbooks/${ALARMS[name].runbook}`, 'utf8')).length).toBeGreaterThan(100)
    }
  })

  test('is listed from the first minute, with its age and sum, and rings once it is late', async () => {
    const [id] = [await aTransfer(portal, { transferAmount: 70_000 }), await aTransfer(portal)]
    const waiting = {
      name: 'unmatched-transfers',
      count: 2,
      late: 0,
      oldest: expect.any(String),
      amount: { value: 120_000, unit: 'VND' },
      runbook: 'money-in.md',
      place: null,
    }
    expect(await alarms(cashier)).toEqual([waiting])
    const deps = { ...portal.deps, isSecondPersonNeeded: true }
    expect(await watchAlarms(deps)).toEqual([])
    await asOwner(
      portal,
      "UPDATE bank_transaction SET created_at = now() - interval '2 hours' WHERE id = $1",
      [id],
    )
    expect(await alarms(cashier)).toEqual([{ ...waiting, late: 1 }])
    expect((await watchAlarms(deps)).map(({ name }) => name)).toEqual(['unmatched-transfers'])
    expect(await names(referee)).toEqual([])
  })

  test('is listed in the order of harm, to each of what they may read', async () => {
    for (const provoke of Object.values(PROVOKED)) await provoke(portal)
    expect(await names()).toEqual(ALARM_NAMES.filter((name) => name !== 'one-person'))
    const [broken] = await alarms()
    expect(broken).toMatchObject({ name: 'audit-chain-broken', count: 1, place: { id: '7', fault: 'hash' } })
    const forCashier = await names(cashier)
    expect(forCashier).toEqual(expect.arrayContaining(['waiting-credits', 'failed-refunds', 'due-deletions']))
    for (const name of ['audit-chain-broken', 'waiting-proposals', 'failed-mails'] as const)
      expect(forCashier).not.toContain(name)
  })

  test('is late after its time, and not after a minute', async () => {
    const waitsSince = {
      'parked-deliveries': ['delivery', 'created_at', 15],
      'waiting-claims': ['help_case', 'last_message_at', 60],
      'waiting-credits': ['proposal', 'proposed_at', 60],
      'waiting-proposals': ['proposal', 'proposed_at', 60],
      'failed-mails': ['mail_outbox', 'created_at', 15],
    } as const
    for (const [name, [table, column, minutes]] of Object.entries(waitsSince)) {
      for (const [age, isLate] of [
        [1, false],
        [minutes + 1, true],
      ] as const) {
        await asOwner(
          portal,
          `UPDATE ${table} SET ${column} = now() - interval '${age} minutes'
            ${table === 'delivery' ? `WHERE state = 'parked'` : ''}`,
        )
        const alarm = (await alarms()).find((one) => one.name === name)!
        expect([name, age, alarm.late > 0]).toEqual([name, age, isLate])
      }
    }
  })

  test('is each case until its player is answered, from the first message that nobody answered', async ({
    player,
  }) => {
    await asOwner(portal, `UPDATE help_case SET state = 'closed', closed_at = now()`)
    const waiting = async () => (await alarms()).find(({ name }) => name === 'waiting-cases')
    const age = (hours: number) =>
      asOwner(portal, `UPDATE help_message SET created_at = created_at - make_interval(hours => ${hours})`)
    const { id } = await aCase(portal, player)
    expect(await waiting()).toMatchObject({ count: 1, late: 0, amount: null, runbook: 'claims.md' })
    await age(25)
    // Asking again does not begin the wait anew.
    await sendMessage(portal, player, { id })
    expect(await waiting()).toMatchObject({ count: 1, late: 1 })
    await onCase(portal, owner, `${id}/messages`, { text: 'Đang xem' })
    expect(await waiting()).toBeUndefined()
    await sendMessage(portal, player, { id })
    expect(await waiting()).toMatchObject({ count: 1, late: 0 })
    await age(25)
    expect(await waiting()).toMatchObject({ count: 1, late: 1 })
    await onCase(portal, owner, `${id}/close`, {})
    expect(await waiting()).toBeUndefined()
  })

  test('is a claim as long as its case waits, and never its case as well', async ({ player }) => {
    await asOwner(portal, `UPDATE help_case SET state = 'closed', closed_at = now()`)
    const waiting = async () => (await names()).filter((name) => /claims|cases/.test(name))
    await aClaim(portal, player)
    expect((await alarms()).find(({ name }) => name === 'waiting-claims')).toMatchObject({
      amount: { value: 50_000, unit: 'VND' },
    })
    const { data } = (await portal.call('GET', '/api/cases', { token: player.token })).body
    const { id } = data[0]
    await onCase(portal, owner, `${id}/messages`, { text: 'Bạn gửi biên lai giúp mình' })
    expect(await waiting()).toEqual([])
    await sendMessage(portal, player, { id })
    expect(await waiting()).toEqual(['waiting-claims'])
    await onCase(portal, owner, `${id}/close`, {})
    expect(await waiting()).toEqual([])
    await onCase(portal, owner, `${id}/reopen`, {})
    expect(await waiting()).toEqual(['waiting-claims'])
    await onCase(portal, owner, `${id}/close`, {})
  })

  test('names a day that nobody compared from the noon behind it, for as long as lists reach back', async () => {
    const dayAt = (day: string) =>
      asOwner(portal, `UPDATE daily_close SET day = ${day} WHERE account_number = '002'`)
    const noon = `vietnam_day(now() - interval '12 hours')`
    for (const [day, isListed] of [
      [noon, false],
      [`${noon} - 1`, true],
      [`${noon} - 40`, false],
    ] as const) {
      await dayAt(day)
      expect((await names(cashier)).includes('uncompared-closes'), day).toBe(isListed)
    }
  })
})

describe('where one person may do alone what two should', () => {
  const alone = useTestApp({ environment: { TWO_PEOPLE: '0' } })
  test('it is shown for as long as it lasts', async () => {
    const { token } = await anOperator(alone, 'owner')
    const { body } = await alone.call('GET', '/api/operator/alarms', { token })
    expect(body).toMatchObject([{ name: 'one-person', count: 1, oldest: null, runbook: 'two-people.md' }])
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
    const events: Waiting[] = []
    const stream = answer.stream() as Readable
    // Each event is written as one piece.
    stream.on('data', (piece: Buffer) => {
      for (const [, data] of piece.toString().matchAll(/^data: (.*)$/gm))
        events.push(JSON.parse(data!) as Waiting)
    })
    const ended = new Promise((resolve) => stream.once('end', resolve))
    return { events, ended, stream, status: answer.statusCode }
  }

  test('send at once how much waits, and again when it changes; only of what the caller may read', async () => {
    const [watched, other] = [await follow(cashier), await follow(referee)]
    await expect.poll(() => watched.events.length).toBe(1)
    const before = watched.events[0]?.['unmatched-transfers']?.count ?? -1
    const id = await aTransfer(portal)
    await expect
      .poll(() => watched.events.at(-1)?.['unmatched-transfers'], { timeout: 3_000 })
      .toEqual({ count: before + 1, newest: id })
    expect(Object.keys(watched.events[0] ?? {})).toEqual(readableAlarms(permissionsOf(['cashier'])))
    expect(other.events).toEqual([{}])
    watched.stream.destroy()
    other.stream.destroy()
  })

  test('end with the session, and do not count as its use', async () => {
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
    await expect.poll(() => watched.events.length).toBe(1)
    expect(await used()).toEqual(before)
    await portal.call('DELETE', '/api/operator/session', { token: operator.token })
    await watched.ended
    expect((await follow(operator)).status).toBe(401)
  })

  test('end when their session is locked', async () => {
    const operator = await anOperator(portal, 'cashier')
    const watched = await follow(operator)
    await expect.poll(() => watched.events.length).toBe(1)
    await asOwner(
      portal,
      "UPDATE sessions SET last_used_at = now() - interval '31 minutes' WHERE kind = 'console' AND user_id = $1",
      [operator.id],
    )
    await aTransfer(portal)
    const end = watched.ended.then(() => 'ended')
    expect(await Promise.race([end, sleep(5_000, 'still open')])).toBe('ended')
    expect(watched.events).toHaveLength(1)
  })

  test('are for the console only', async () => {
    expect((await follow({ token: cashier.playerToken })).status).toBe(401)
  })
})
