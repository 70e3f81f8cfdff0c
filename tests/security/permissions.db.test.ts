import { expect, test } from 'vitest'
import { PERMISSION_CALLERS, type PermissionRow, permissionRows } from '#scripts/permissions.ts'
import { root } from '#tests/repo/checkout-copy.ts'
import { OPERATOR_EVENTS_PATH } from '#contract/operator/alarms.ts'
import { statusOfRequest } from './send-request.ts'
import { useWorld } from './cast.ts'
import { servedRoutes } from './served-routes.ts'

const CLOSE_SESSION = 'DELETE /operator/session'
const rows = await permissionRows(root)

const world = useWorld()

/** The portal's answer to each caller, as the document writes it: whatever is not refused is reached. */
async function answersTo({ method, path }: Pick<PermissionRow, 'method' | 'path'>) {
  const answers: Record<string, string> = {}
  for (const caller of PERMISSION_CALLERS) {
    const status = await statusOfRequest(world.portal, {
      method,
      path: `/api${path.replace(/\{\w+\}/g, '1')}`,
      token: world.cast[caller]?.token,
      // Refused by its schema, where it has one: no act is done.
      ...(method === 'GET' ? {} : { body: {} }),
    })
    answers[caller] = status === 401 || status === 403 ? String(status) : 'yes'
  }
  return answers
}

const served = (call: string) => call.replace('/operator', '/api/operator').replace(/\{(\w+)\}/g, ':$1')

test('security row 41: the document has every operator call the portal serves, and no other', () => {
  const routes = servedRoutes(world.portal).filter((route) => route.includes('/api/operator'))
  const documented = new Set(rows.map(({ call }) => served(call)))
  expect([...documented].filter((call) => !routes.includes(call))).toEqual([])
  const beside = routes.filter((route) => !documented.has(route))
  // Files belong to a list or a row: tested below.
  expect(beside.filter((route) => !documented.has(parentOf(route)))).toEqual([])
})

/** A file belongs to its list or row; the stream of events is for whoever may read their own account. */
const parentOf = (route: string) =>
  route === `GET /api${OPERATOR_EVENTS_PATH}` ? 'GET /api/operator/me' : route.replace(/\.csv$|\/\w+$/, '')

test.each(rows.filter(({ call }) => call !== CLOSE_SESSION))(
  'security row 41: $call answers each role as in docs/permissions.md',
  async (row) => {
    expect(await answersTo(row)).toEqual(row.cells)
  },
)

test('security row 41: a file is reached by whoever reaches its list or row', async () => {
  const documented = new Map(rows.map((row) => [served(row.call), row]))
  const files = servedRoutes(world.portal).filter(
    (route) => route.startsWith('GET /api/operator') && !documented.has(route),
  )
  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    const path = file.replace('GET /api', '').replace(/:\w+/g, '1')
    const parent = documented.get(parentOf(file))
    expect([file, await answersTo({ method: 'GET', path })]).toEqual([file, parent?.cells])
  }
})

test('security row 41: whoever is signed in to the console can leave it', async () => {
  const row = rows.find(({ call }) => call === CLOSE_SESSION) as PermissionRow
  expect(await answersTo(row)).toEqual(row.cells)
})
