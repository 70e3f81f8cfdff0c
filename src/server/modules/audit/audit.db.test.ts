import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { useOperators } from '#tests/support/fixtures.ts'
import { auditAppendBefore } from '#tests/support/audit-append-before.ts'
import { operatorsCall } from '#tests/support/operators.ts'
import { eraseOldPersonal } from './trail.service.ts'
import { verifyAuditChain } from './audit.service.ts'
import { actOnSeveral } from './operator-act.service.ts'
import { append, tamper } from './testing/tampering.ts'

const portal = useTestApp()

const CALL = (id: string, name = 'audit_append') =>
  `SELECT ${name}('system', NULL, 'tests.at-once', 'test', '${id}', NULL, '{}', NULL, NULL, NULL)`

/** Two connections of the portal's role, and one of the owner that holds lines. */
describe('acts at the same moment', () => {
  const clients: Client[] = []
  let one: Client
  let other: Client
  let owner: Client
  beforeAll(async () => {
    for (const url of [portal.appUrl, portal.appUrl, portal.ownerUrl]) {
      const client = new Client({ connectionString: url })
      await client.connect()
      clients.push(client)
    }
    ;[one, other, owner] = clients as [Client, Client, Client]
  })
  afterAll(() => Promise.all(clients.map((client) => client.end())))

  const hold = (which: string) => owner.query(`BEGIN; SELECT FROM audit_line WHERE line ${which} FOR UPDATE`)
  const lineOf = async (client: Client) => {
    const { rows } = await client.query<{ line: number }>('SELECT pg_backend_pid() & 15 AS line')
    return rows[0]?.line ?? -1
  }
  const lineWritten = async (client: Client, id: string) => {
    const { rows } = await client.query<{ line: number }>(
      `SELECT line FROM audit_log WHERE subject_id = '${id}'`,
    )
    return rows[0]?.line
  }

  /** `done`, or why not, when it may wait for nothing. */
  const atOnce = (client: Client, id: string) =>
    client.query(`BEGIN; SET LOCAL lock_timeout = '100ms'; ${CALL(id)}; COMMIT`).then(
      () => 'done',
      async (error: { code: string }) => {
        await client.query('ROLLBACK')
        return error.code
      },
    )

  test('do not wait for each other', async () => {
    await one.query(`BEGIN; ${CALL('first')}`)
    expect(await atOnce(other, 'second')).toBe('done')
    await one.query('COMMIT')
    expect(await lineWritten(one, 'second')).not.toBe(await lineWritten(one, 'first'))
  })

  test('take another line when their own is taken', async () => {
    const own = await lineOf(one)
    await hold(`= ${own}`)
    expect(await atOnce(one, 'beside')).toBe('done')
    await owner.query('ROLLBACK')
    expect(await lineWritten(one, 'beside')).toBe((own + 1) & 15)
  })

  test('wait when all lines are taken, but never with a line of their own', async () => {
    await one.query(`BEGIN; ${CALL('held')}`)
    await hold(`<> ${await lineWritten(one, 'held')}`)
    await one.query(`SET LOCAL lock_timeout = '100ms'; ${CALL('held-again')}`)
    expect(await atOnce(other, 'waiting')).toBe('55P03')
    await owner.query('ROLLBACK')
    await one.query('COMMIT')
    expect(await lineWritten(one, 'held-again')).toBe(await lineWritten(one, 'held'))
  })

  test('a call that began before there were lines is in the first chain', async () => {
    await owner.query(auditAppendBefore('audit_append_before'))
    await owner.query(CALL('late', 'audit_append_before'))
    await owner.query(CALL('later', 'audit_append_before'))
    expect(await lineWritten(one, 'later')).toBeNull()
  })

  test('and all of them are chained', async () => {
    await Promise.all(Array.from({ length: 40 }, (_, n) => append(portal, `at-once-${n}`)))
    const { rows } = await owner.query(`SELECT count(DISTINCT line)::integer AS lines FROM audit_log`)
    expect(rows[0].lines).toBeGreaterThanOrEqual(5)
    expect((await verifyAuditChain(portal.db)).faults).toEqual([])
  })

  test('an act that is undone leaves no gap in its line', async () => {
    await one.query(`BEGIN; ${CALL('undone')}; ROLLBACK; ${CALL('after')}`)
    expect((await verifyAuditChain(portal.db)).faults).toEqual([])
  })
})

test('personal parts are erased after 24 months, and only those', async () => {
  await append(portal, '1', '2', '3', '4')
  await tamper(
    portal,
    `UPDATE audit_log SET at = now() - interval '24 months 1 day' WHERE subject_id IN ('1', '2');
     UPDATE audit_log SET at = now() - interval '23 months' WHERE subject_id = '3'`,
  )
  expect(await eraseOldPersonal(portal.deps)).toBe(true)
  const left = portal.db
    .selectFrom('audit_personal')
    .innerJoin('audit_log', 'audit_log.seq', 'audit_personal.seq')
    .where('subject_id', 'in', ['1', '2', '3', '4'])
  expect(
    (await left.select('subject_id').orderBy('audit_log.seq').execute()).map((row) => row.subject_id),
  ).toEqual(['3', '4'])
  await expect(portal.db.deleteFrom('audit_personal').execute()).rejects.toThrow(/permission denied/)
})

describe('an act on several rows', () => {
  const { owner } = useOperators(portal, { owner: 'owner' })

  const ROWS = [{ id: '1' }, { id: '2' }, { id: '3' }]

  /** The keys that each row's act got, in the order of the acts. */
  type Acted = { id: string; key: string | null }[]

  /** A call about three rows whose second one is refused with the code. */
  function actWith(code: ErrorCode | null, key = randomUUID() as string, acted: Acted = []) {
    const call = { ...operatorsCall('0', 'Thử nhiều dòng', owner.id), key }
    return actOnSeveral(portal.deps, call, {
      action: 'deliveries.retry-many',
      rows: ROWS,
      act: async ({ id }, own) => {
        acted.push({ id, key: own.key })
        if (id === '2' && code !== null) throw new Refusal(code)
        return id === '3'
      },
    })
  }

  test.each(['KEY_REUSED', 'IN_PROGRESS', 'RATE_LIMITED', 'STEP_UP_REQUIRED'] as const)(
    '%s at a row refuses the whole call there, and nothing is stored for its key',
    async (code) => {
      const [key, acted] = [randomUUID(), [] as Acted]
      await expect(actWith(code, key, acted)).rejects.toMatchObject({ code })
      expect(acted.map(({ id }) => id)).toEqual(['1', '2'])
      expect((await actWith(null, key)).results).toHaveLength(3)
    },
  )

  test.each(['NOT_FOUND', 'CONFLICT', 'VALIDATION', 'DISABLED'] as const)(
    '%s is the result of its row, and the next one is tried',
    async (code) => {
      expect((await actWith(code)).results).toMatchObject([
        { id: '1', status: 'done' },
        { id: '2', status: 'refused', code },
        { id: '3', status: 'waiting' },
      ])
    },
  )

  test('each row has a key of its own, the same when the call is repeated and another in every other call', async () => {
    const [key, first, again, other] = [randomUUID(), [] as Acted, [] as Acted, [] as Acted]
    await expect(actWith('IN_PROGRESS', key, first)).rejects.toThrow()
    await actWith(null, key, again)
    await actWith(null, randomUUID(), other)
    expect(again.slice(0, 2)).toEqual(first)
    const keys = [...again, ...other].map((one) => one.key)
    expect(new Set(keys).size).toBe(6)
    expect(keys).not.toContain(null)
    expect(keys).not.toContain(key)
  })
})
