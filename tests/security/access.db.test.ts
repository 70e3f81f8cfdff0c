import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ROLES } from '#contract/operator/roles.ts'
import { listProblems } from '#tests/support/hand-lists.ts'
import { anOperator, type TestOperator } from '#tests/support/operators.ts'
import { requestOf } from './access-rows.ts'
import { ACCESS_TABLE } from './access-table.ts'
import { sendRequest, statusOfRequest } from './send-request.ts'
import { CALLERS, useWorld } from './cast.ts'
import { servedRoutes } from './served-routes.ts'

const world = useWorld()
beforeEach(() => world.forgetPace())
let owner: TestOperator
beforeAll(async () => {
  owner = await anOperator(world.portal, 'owner')
})

const OPERATOR_ROUTES = Object.keys(ACCESS_TABLE).filter(
  (route) => route.includes(' /api/operator/') && route !== 'POST /api/operator/session',
)

const callRoute = (route: string, token: string | undefined) => {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replace(/:\w+/g, '1')
  return sendRequest(world.portal, { method, path, token, ...(method === 'GET' ? {} : { body: {} }) })
}

/** The statuses other than `expected`, by route. */
async function othersThan(expected: number, routes: readonly string[], token: string | undefined) {
  const answers = await Promise.all(
    routes.map(async (route) => [route, (await callRoute(route, token)).status] as const),
  )
  return answers.filter(([, status]) => status !== expected)
}

// Before the acts of the next group, which end sessions.
describe('security row 39: the console', () => {
  test('security row 39: no operator call takes a session of the player site, not even an owner’s', async () => {
    expect(OPERATOR_ROUTES.length).toBeGreaterThan(45)
    for (const token of [undefined, world.player.token, owner.playerToken])
      expect(await othersThan(401, OPERATOR_ROUTES, token)).toEqual([])
  })

  test('security row 39: no call of the player site takes a console session', async () => {
    const routes = Object.entries(ACCESS_TABLE).flatMap(([route, { status }]) =>
      status.nobody === 401 && !route.includes('/operator/') && status.player !== 401 ? [route] : [],
    )
    expect(routes.length).toBeGreaterThan(30)
    expect(await othersThan(401, routes, owner.token)).toEqual([])
  })

  test('security row 39: a console session that is idle for 30 minutes answers 401 to everything but its unlocking and its end', async () => {
    const idle = await anOperator(world.portal, 'owner')
    await sql`
      UPDATE sessions SET last_used_at = now() - interval '30 minutes'
       WHERE user_id = ${idle.id}::bigint AND kind = 'console'`.execute(world.portal.db)
    const stillServed = ['POST /api/operator/step-up', 'DELETE /api/operator/session']
    const rest = OPERATOR_ROUTES.filter((route) => !stillServed.includes(route))
    expect(await othersThan(401, rest, idle.token)).toEqual([])
    expect((await callRoute('POST /api/operator/step-up', idle.token)).status).toBe(422)
    expect((await callRoute('DELETE /api/operator/session', idle.token)).status).toBe(204)
  })
})

test('security row 41: each call without its permission is 403 and logged with the operator and the permission', async () => {
  for (const role of ROLES) {
    const refused = Object.entries(ACCESS_TABLE).flatMap(([route, { status }]) =>
      route.includes(' /api/operator/') && status[role] === 403 ? [route] : [],
    )
    const { token, id } = world.cast[role] ?? {}
    const logged = world.portal.logged().length
    expect(await othersThan(403, refused, token), role).toEqual([])
    const lines = world.portal
      .logged()
      .slice(logged)
      .split('\n')
      .filter((line) => line.includes('an operator call was refused'))
      .map((line) => JSON.parse(line) as { userId: string; permission: unknown })
    expect(lines.length, role).toBe(refused.length)
    for (const line of lines) {
      expect(line.userId).toBe(id)
      expect(line.permission).toBeTruthy()
    }
  }
})

describe('who may call what', () => {
  test('security row 18: every route the portal serves has a row, and every row has a route', () => {
    const compared = { found: servedRoutes(world.portal), listed: Object.keys(ACCESS_TABLE) }
    const where = 'the tests/security/access-*.ts of its area: the status that each caller gets'
    expect(listProblems(compared, where)).toEqual([])
  })

  test.each(Object.entries(ACCESS_TABLE))(
    'security row 18: %s answers each caller as in the table',
    async (route, row) => {
      const answers: Record<string, number> = {}
      let request: Awaited<ReturnType<typeof requestOf>> | undefined
      for (const caller of CALLERS) {
        request ??= await requestOf(world, [route, row])
        const status = await statusOfRequest(world.portal, { ...request, token: world.cast[caller]?.token })
        answers[caller] = status
        // An act that succeeded must not affect the next caller's.
        if (request.method !== 'GET' && status < 400) request = undefined
      }
      expect(answers).toEqual(row.status)
    },
  )

  test('security row 18: an unknown call is answered alike for every caller', async () => {
    for (const caller of CALLERS) {
      const token = world.cast[caller]?.token
      const question = { method: 'GET', path: '/api/operator/khong-co', token }
      expect(await statusOfRequest(world.portal, question)).toBe(404)
    }
  })
})
