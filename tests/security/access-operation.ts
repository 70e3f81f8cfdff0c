import { randomUUID } from 'node:crypto'
import { ROLES } from '#contract/operator/roles.ts'
import { operators, type Probe, type Row } from './access-rows.ts'
import type { World } from './cast.ts'

const EDITORS = ['owner', 'editor'] as const
const OWNER = ['owner'] as const

const nothingThere = (): Probe => ({ path: { id: '999999999' }, body: { reason: 'Kiểm tra quyền' } })

/** When a setting was last changed, as whoever has just read it knows. */
async function lastChange({ db }: World['portal'], key: string): Promise<string | null> {
  const settings = db.selectFrom('settings').select('updated_at').where('key', '=', key)
  return (await settings.executeTakeFirst())?.updated_at.toISOString() ?? null
}

const terms = (): Probe => ({ path: { kind: 'terms' } })

const rankingGroup = {
  name: 'Thử',
  description: '',
  source: 'recharge',
  board: null,
  value_name: 'TCoin',
  server_id: null,
  position: 9,
  reason: 'Kiểm tra quyền',
}

/** Settings, maintenance, staff, servers, ranking groups, audit. */
export const OPERATION_ACCESS: Record<string, Row> = {
  'GET /api/operator/settings': operators(EDITORS, 200),
  // Other changes by an owner are tested in money-settings.db.test.ts.
  'PUT /api/operator/settings': operators(EDITORS, 200, async ({ portal }) => ({
    body: {
      values: { site_name: 'Tên mới' },
      updated_at: await lastChange(portal, 'site_name'),
      reason: 'Kiểm tra quyền',
    },
  })),
  'GET /api/operator/settings/:key/history': operators(EDITORS, 200, () => ({ path: { key: 'site_name' } })),
  'GET /api/operator/planned-prices': operators(EDITORS, 200),
  'POST /api/operator/planned-prices': operators(OWNER, 202, () => ({
    body: {
      setting: 'recharge_min',
      value: '20000',
      starts_at: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      ends_at: null,
      reason: 'Kiểm tra quyền',
    },
  })),
  'POST /api/operator/planned-prices/:id/cancel': operators(OWNER, 404, nothingThere),
  'POST /api/operator/settings/preview-qr': operators(OWNER, 422, () => ({ body: { value: '' } })),
  'GET /api/operator/legal': operators(OWNER, 200),
  'GET /api/operator/legal/:kind': operators(OWNER, 200, terms),
  'GET /api/operator/legal/:kind/versions': operators(OWNER, 200, terms),
  // Not the version in force.
  'POST /api/operator/legal/:kind/versions': operators(OWNER, 409, () => ({
    path: { kind: 'terms' },
    body: { content: '<p>Thử.</p>', version: 999, reason: 'Kiểm tra quyền' },
  })),
  'GET /api/operator/saved-filters': operators(ROLES, 422),
  'POST /api/operator/saved-filters': operators(ROLES, 201, () => ({
    body: {
      list: 'users',
      name: randomUUID(),
      query: { sort: '["created_at","DESC"]', filter: '{"banned":true}' },
    },
  })),
  'PUT /api/operator/saved-filters/:id': operators(ROLES, 404, () => ({
    path: { id: '999999999' },
    body: { name: 'Bị khóa' },
  })),
  'DELETE /api/operator/saved-filters/:id': operators(ROLES, 404, () => ({ path: { id: '999999999' } })),
  'PUT /api/operator/legal/:kind/draft': operators(OWNER, 200, () => ({
    path: { kind: 'terms' },
    body: { content: '<p>Thử.</p>', based_on: 1 },
  })),
  'DELETE /api/operator/legal/:kind/draft': operators(OWNER, 204, terms),
  'GET /api/operator/maintenance': operators(OWNER, 200),
  'PUT /api/operator/maintenance': operators(OWNER, 409, () => ({
    body: { sections: {}, updated_at: '2020-01-01T00:00:00.000Z', reason: 'Kiểm tra quyền' },
  })),
  'GET /api/operator/digest': operators(OWNER, 200),
  'GET /api/operator/staff': operators(OWNER, 200),
  'PUT /api/operator/staff/:id/roles': operators(OWNER, 200, ({ other }) => ({
    path: { id: other.id },
    body: { roles: [], reason: 'Kiểm tra quyền' },
  })),
  'POST /api/operator/staff/invites': operators(OWNER, 201, () => ({
    body: { role: 'support', reason: 'Kiểm tra quyền' },
  })),
  'GET /api/operator/staff/invites': operators(OWNER, 200),
  'DELETE /api/operator/staff/invites/:id': operators(OWNER, 404, nothingThere),
  'GET /api/operator/servers': operators(OWNER, 200),
  // There is one with this id.
  'POST /api/operator/servers': operators(OWNER, 422, () => ({
    body: { id: '1', name: 'Trùng', position: 0, reason: 'Kiểm tra quyền' },
  })),
  'PUT /api/operator/servers/:id': operators(OWNER, 404, () => ({
    path: { id: 'khong-co' },
    body: { name: 'Tên', position: 0, updated_at: '2020-01-01T00:00:00.000Z', reason: 'Kiểm tra quyền' },
  })),
  'DELETE /api/operator/servers/:id': operators(OWNER, 404, () => ({
    path: { id: 'khong-co' },
    body: { reason: 'Kiểm tra quyền' },
  })),
  'GET /api/operator/groups': operators(EDITORS, 200),
  'POST /api/operator/groups': operators(EDITORS, 201, () => ({ body: rankingGroup })),
  'PUT /api/operator/groups/:id': operators(EDITORS, 404, () => ({
    path: { id: '999999999' },
    body: { ...rankingGroup, updated_at: '2020-01-01T00:00:00.000Z' },
  })),
  'DELETE /api/operator/groups/:id': operators(EDITORS, 404, nothingThere),
  'GET /api/operator/audit': operators(OWNER, 200),
  'GET /api/operator/audit.csv': operators(OWNER, 200),
  'GET /api/operator/audit/verify': operators(OWNER, 200),
}
