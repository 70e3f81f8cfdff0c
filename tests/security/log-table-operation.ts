import type { LoggedAct } from './log-table.ts'
import { asOwner, owner } from './log-table-money.ts'

/** Acts on settings, maintenance, staff, servers and ranking groups. */
export const OPERATION_ACTS: LoggedAct[] = [
  {
    what: 'an operator’s look at the QR of a receiving account',
    act: asOwner('POST', '/api/operator/settings/preview-qr', {
      value: JSON.stringify({ bin: '970436', number: '1', name: 'A' }),
    }),
    status: 200,
    says: { route: '/api/operator/settings/preview-qr', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s planned price',
    act: asOwner('POST', '/api/operator/planned-prices', {
      setting: 'recharge_min',
      value: '20000',
      starts_at: new Date(Date.now() + 48 * 3_600_000).toISOString(),
      ends_at: null,
      reason: 'Kiểm tra',
    }),
    status: 202,
    says: { route: '/api/operator/planned-prices', method: 'POST', status: 202 },
    who: owner,
  },
  {
    what: 'an operator’s cancelling of a planned price there is not',
    act: asOwner('POST', '/api/operator/planned-prices/999999999/cancel', { reason: 'Kiểm tra' }),
    status: 404,
    says: { route: '/api/operator/planned-prices/:id/cancel', refusal: 'NOT_FOUND' },
    who: owner,
  },
  {
    what: 'an operator’s publishing over a version they have not seen',
    act: asOwner('POST', '/api/operator/legal/terms/versions', {
      content: '<p>Thử.</p>',
      version: 999,
      reason: 'Kiểm tra',
    }),
    status: 409,
    says: { route: '/api/operator/legal/:kind/versions', refusal: 'CONFLICT' },
    who: owner,
  },
  {
    what: 'an operator’s saving of a filter',
    act: asOwner('POST', '/api/operator/saved-filters', {
      list: 'users',
      name: 'Bị khóa',
      query: { sort: '["created_at","DESC"]', filter: '{"banned":true}' },
    }),
    status: 201,
    says: { route: '/api/operator/saved-filters', method: 'POST', status: 201 },
    who: owner,
  },
  {
    what: 'an operator’s renaming of a filter there is not',
    act: asOwner('PUT', '/api/operator/saved-filters/999999999', { name: 'Bị khóa' }),
    status: 404,
    says: { route: '/api/operator/saved-filters/:id', method: 'PUT', status: 404, refusal: 'NOT_FOUND' },
    who: owner,
  },
  {
    what: 'an operator’s removal of a filter there is not',
    act: asOwner('DELETE', '/api/operator/saved-filters/999999999', undefined),
    status: 404,
    says: { route: '/api/operator/saved-filters/:id', method: 'DELETE', status: 404, refusal: 'NOT_FOUND' },
    who: owner,
  },
  {
    what: 'an operator’s draft of a legal text',
    act: asOwner('PUT', '/api/operator/legal/terms/draft', { content: '<p>Thử.</p>', based_on: 1 }),
    status: 200,
    says: { route: '/api/operator/legal/:kind/draft', method: 'PUT', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s dropping of that draft',
    act: asOwner('DELETE', '/api/operator/legal/terms/draft', undefined),
    status: 204,
    says: { route: '/api/operator/legal/:kind/draft', method: 'DELETE', status: 204 },
    who: owner,
  },
  {
    what: 'an operator’s change of maintenance by what they saw long ago',
    act: asOwner('PUT', '/api/operator/maintenance', {
      sections: {},
      updated_at: '2020-01-01T00:00:00.000Z',
      reason: 'Kiểm tra',
    }),
    status: 409,
    says: { route: '/api/operator/maintenance', method: 'PUT', refusal: 'CONFLICT' },
    who: owner,
  },
  {
    what: 'an operator’s change of roles',
    act: (world) =>
      asOwner('PUT', `/api/operator/staff/${world.other.id}/roles`, { roles: [], reason: 'Kiểm tra' })(world),
    status: 200,
    says: { route: '/api/operator/staff/:id/roles', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s invitation',
    act: asOwner('POST', '/api/operator/staff/invites', { role: 'support', reason: 'Kiểm tra' }),
    status: 201,
    says: { route: '/api/operator/staff/invites', status: 201 },
    who: owner,
  },
  {
    what: 'an operator’s withdrawal of an invitation there is not',
    act: asOwner('DELETE', '/api/operator/staff/invites/999999999', { reason: 'Kiểm tra' }),
    status: 404,
    says: { route: '/api/operator/staff/invites/:id', refusal: 'NOT_FOUND' },
    who: owner,
  },
  {
    what: 'an operator’s addition of a server there is',
    act: asOwner('POST', '/api/operator/servers', {
      id: '1',
      name: 'Trùng',
      position: 0,
      reason: 'Kiểm tra',
    }),
    status: 422,
    says: { route: '/api/operator/servers', method: 'POST', refusal: 'VALIDATION' },
    who: owner,
  },
  {
    what: 'an operator’s change of a server there is not',
    act: asOwner('PUT', '/api/operator/servers/khong-co', {
      name: 'Tên',
      position: 0,
      updated_at: '2020-01-01T00:00:00.000Z',
      reason: 'Kiểm tra',
    }),
    status: 404,
    says: { route: '/api/operator/servers/:id', method: 'PUT', refusal: 'NOT_FOUND' },
    who: owner,
  },
  {
    what: 'an operator’s removal of a server there is not',
    act: asOwner('DELETE', '/api/operator/servers/khong-co', { reason: 'Kiểm tra' }),
    status: 404,
    says: { route: '/api/operator/servers/:id', method: 'DELETE', refusal: 'NOT_FOUND' },
    who: owner,
  },
  {
    what: 'an operator’s removal of a ranking group there is not',
    act: asOwner('DELETE', '/api/operator/groups/999999999', { reason: 'Kiểm tra' }),
    status: 404,
    says: { route: '/api/operator/groups/:id', method: 'DELETE', refusal: 'NOT_FOUND' },
    who: owner,
  },
]
