import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

const addressOf = (pattern: string, values: Record<string, string> = {}) =>
  Object.entries(values).reduce((path, [name, value]) => path.replace(`:${name}`, value), pattern)

describe('who may call what', () => {
  test('security row 18: every route the portal serves has its row, and no row has lost its route', () => {
    expect(Object.keys(ACCESS_TABLE).sort()).toEqual(servedRoutes(world.portal))
  })

  test.each(Object.entries(ACCESS_TABLE))(
    'security row 18: %s answers each caller what the table says',
    async (route, { status, probe }) => {
      const [method = '', pattern = ''] = route.split(' ')
      const answers: Record<string, number> = {}
      for (const caller of CALLERS) {
        const { path, body } = (await probe?.(world)) ?? {}
        const token = world.cast[caller]?.token
        const question = { method, path: addressOf(pattern, path), token, body }
        answers[caller] = await askStatus(world.portal, question)
      }
      expect(answers).toEqual(status)
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
