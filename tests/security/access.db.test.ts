import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listProblems } from '#tests/support/hand-lists.ts'
import { requestOf } from './access-rows.ts'
import { ACCESS_TABLE } from './access-table.ts'
import { askStatus } from './ask.ts'
import { CALLERS, openWorld, type World } from './cast.ts'
import { servedRoutes } from './served-routes.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.portal.close())
beforeEach(() => world.forgetPace())

describe('who may call what', () => {
  test('security row 18: every route the portal serves has a row, and every row has a route', () => {
    const compared = { found: servedRoutes(world.portal), listed: Object.keys(ACCESS_TABLE) }
    const where = 'the tests/security/access-*.ts of its area: the status that each caller gets'
    expect(listProblems(compared, where)).toEqual([])
  })

  test.each(Object.entries(ACCESS_TABLE))(
    'security row 18: %s answers each caller what the table says',
    async (route, row) => {
      const answers: Record<string, number> = {}
      let request: Awaited<ReturnType<typeof requestOf>> | undefined
      for (const caller of CALLERS) {
        request ??= await requestOf(world, [route, row])
        const status = await askStatus(world.portal, { ...request, token: world.cast[caller]?.token })
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
      expect(await askStatus(world.portal, question)).toBe(404)
    }
  })
})
