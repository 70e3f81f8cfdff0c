import { aDeletion } from '#tests/support/players.ts'
import { everyone, operators, signedIn, type Probe, type Row } from './access-rows.ts'
import type { World } from './cast.ts'

const READERS = ['owner', 'cashier', 'support'] as const
const OWNER = ['owner'] as const

/** A request to be erased, made anew for each caller. */
const someDeletion =
  (body: object = {}) =>
  async ({ portal }: World): Promise<Probe> => ({
    path: { id: await aDeletion(portal) },
    body: { reason: 'Kiểm tra quyền', ...body },
  })

/** A player's own data and way back into the account, and requests to be erased. */
export const PERSONAL_ACCESS: Record<string, Row> = {
  'POST /api/password/check-link': everyone(200, () => ({ body: { token: 'A'.repeat(43) } })),
  'POST /api/user/personal-data': signedIn(422, {}, () => ({ body: { current_password: 'khong-phai-no' } })),
  'GET /api/user/deletion-request': signedIn(200),
  'POST /api/user/deletion-request': signedIn(422, {}, () => ({
    body: { current_password: 'khong-phai-no', given_up: 0 },
  })),
  // Nothing was asked.
  'DELETE /api/user/deletion-request': signedIn(409),
  'GET /api/operator/deletion-requests': operators(READERS, 200),
  'GET /api/operator/deletion-requests/:id': operators(READERS, 200, someDeletion()),
  'POST /api/operator/deletion-requests/:id/carry-out': operators(OWNER, 200, someDeletion()),
  'POST /api/operator/deletion-requests/:id/refuse': operators(
    OWNER,
    200,
    someDeletion({ message: 'Chưa làm được' }),
  ),
}
