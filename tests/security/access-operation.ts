import { randomUUID } from 'node:crypto'
import { ROLES } from '#contract/operator/roles.ts'
import {
  acts,
  EDITORS,
  nothingThere,
  operators,
  OWNER,
  WITH_PERMISSIONS,
  type Probe,
  type Rows,
} from './access-rows.ts'
import type { World } from './cast.ts'

const LONG_AGO = '2020-01-01T00:00:00.000Z'
const IN_TWO_DAYS = new Date(Date.now() + 48 * 3_600_000).toISOString()

/** When a setting was last changed, as whoever has just read it knows. */
async function lastChange({ db }: World['portal'], key: string): Promise<string | null> {
  const settings = db.selectFrom('settings').select('updated_at').where('key', '=', key)
  return (await settings.executeTakeFirst())?.updated_at.toISOString() ?? null
}

/** A name of an item, to be changed by whoever has just read it. */
async function presentName({ db }: World['portal']) {
  const names = db.selectFrom('game_name').select(['kind', 'code', 'short_name', 'updated_at'])
  return names.where('kind', '=', 'item').where('code', '=', 'pet').executeTakeFirstOrThrow()
}

const NAME_READERS = ['owner', 'editor', 'referee'] as const

const noServer = (body: object) => (): Probe => ({ path: { id: 'khong-co' }, body })

/** Operators' calls on settings, maintenance, staff, servers and the audit trail, and on the console itself. */
export const OPERATION_ACCESS: Rows = {
  'GET /api/operator/settings': operators(EDITORS, 200),
  // Other changes by an owner are tested in money-settings.db.test.ts.
  'PUT /api/operator/settings': acts(EDITORS, 200, async ({ portal }) => ({
    body: { values: { site_name: 'Tên mới' }, updated_at: await lastChange(portal, 'site_name') },
  })),
  'GET /api/operator/settings/:key/history': operators(EDITORS, 200, () => ({ path: { key: 'site_name' } })),
  'GET /api/operator/game-names': operators(NAME_READERS, 200),
  'GET /api/operator/goods': operators(['owner', 'editor'], 200),
  'GET /api/operator/goods-limits': operators(['owner', 'editor'], 200),
  'GET /api/operator/game-names.csv': operators(NAME_READERS, 200),
  'PUT /api/operator/game-names': acts(EDITORS, 200, async ({ portal }) => ({
    body: { names: [{ ...(await presentName(portal)), name: randomUUID() }] },
  })),
  'GET /api/operator/planned-prices': operators(EDITORS, 200),
  'POST /api/operator/planned-prices': acts(OWNER, 202, () => ({
    body: { setting: 'recharge_min', value: '20000', starts_at: IN_TWO_DAYS, ends_at: null },
  })),
  'POST /api/operator/planned-prices/:id/cancel': acts(OWNER, 404, nothingThere),
  'POST /api/operator/settings/preview-qr': operators(OWNER, 422, () => ({ body: { value: '' } })),
  'GET /api/operator/maintenance': operators(OWNER, 200),
  'PUT /api/operator/maintenance': acts(OWNER, 409, () => ({ body: { sections: {}, updated_at: LONG_AGO } })),
  'GET /api/operator/digest': operators(OWNER, 200),
  'GET /api/operator/staff': operators(OWNER, 200),
  'PUT /api/operator/staff/:id/roles': acts(OWNER, 200, ({ other }) => ({
    path: { id: other.id },
    body: { roles: [] },
  })),
  'POST /api/operator/staff/invites': acts(OWNER, 201, () => ({ body: { role: 'support' } })),
  'GET /api/operator/staff/invites': operators(OWNER, 200),
  'DELETE /api/operator/staff/invites/:id': acts(OWNER, 404, nothingThere),
  'GET /api/operator/failed-work': operators(OWNER, 200),
  'GET /api/operator/client-errors': operators(OWNER, 200),
  'GET /api/operator/client-errors/:id': operators(OWNER, 404, nothingThere),
  'POST /api/operator/client-errors/:id/handle': acts(OWNER, 404, nothingThere),
  'GET /api/operator/game-servers': operators(OWNER, 200),
  'GET /api/operator/servers': operators(OWNER, 200),
  // There is one with this id.
  'POST /api/operator/servers': acts(OWNER, 422, () => ({ body: { id: '1', name: 'Trùng', position: 0 } })),
  'PUT /api/operator/servers/:id': acts(
    OWNER,
    404,
    noServer({ name: 'Tên', position: 0, updated_at: LONG_AGO }),
  ),
  'DELETE /api/operator/servers/:id': acts(OWNER, 404, noServer({})),
  'GET /api/operator/audit': operators(OWNER, 200),
  'GET /api/operator/audit.csv': operators(OWNER, 200),
  'GET /api/operator/audit/verify': operators(OWNER, 200),

  'GET /api/operator/saved-filters': operators(ROLES, 422),
  'POST /api/operator/saved-filters': operators(ROLES, 201, () => ({
    body: {
      list: 'users',
      name: randomUUID(),
      query: { sort: '["created_at","DESC"]', filter: '{"banned":true}' },
    },
  })),
  'PUT /api/operator/saved-filters/:id': operators(ROLES, 404, () => ({
    ...nothingThere(),
    body: { name: 'Bị khóa' },
  })),
  'DELETE /api/operator/saved-filters/:id': operators(ROLES, 404, nothingThere),
  'GET /api/operator/alarms': operators(ROLES, 200),
  'GET /api/operator/setup-guide': operators(OWNER, 200),
  'GET /api/operator/events': operators(ROLES, 200),
  'GET /api/operator/me': operators(WITH_PERMISSIONS, 200),
  // A wrong code.
  'POST /api/operator/step-up': operators(ROLES, 422, () => ({ body: { otp: '000000' } })),
  // Without `q`.
  'GET /api/operator/search': operators(WITH_PERMISSIONS, 422),
}
