import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { ErrorCode } from '#contract/errors.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { useTestApp } from '#tests/support/app.ts'
import { anOperator, operatorsCall, type TestOperator } from '#tests/support/operators.ts'
import { actOnSeveral } from './several-acts.service.ts'

const portal = useTestApp()
let owner: TestOperator
beforeAll(async () => {
  owner = await anOperator(portal, 'owner')
})

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
