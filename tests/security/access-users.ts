import { aVisitorCase } from '#tests/support/cases.ts'
import { aPhone } from '#tests/support/mail.ts'
import { aDeletion, aPlayer } from '#tests/support/players.ts'
import {
  acts,
  aNewcomer,
  HELPERS,
  MONEY_READERS,
  nothingThere,
  operators,
  OWNER,
  type Probe,
  type Rows,
} from './access-rows.ts'
import type { World } from './cast.ts'

const ofAPlayer = ({ other }: World): Probe => ({ path: { id: other.id } })

/** A deletion request, a new one for each caller. */
const someDeletion =
  (body: object = {}) =>
  async ({ portal }: World): Promise<Probe> => ({ path: { id: await aDeletion(portal) }, body })

/** Operators' calls on players and their accounts. */
export const USERS_ACCESS: Rows = {
  'GET /api/operator/users': operators(MONEY_READERS, 200),
  'GET /api/operator/users.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/users/:id': operators(MONEY_READERS, 200, ofAPlayer),
  'GET /api/operator/users/:id/trail': operators(MONEY_READERS, 200, ofAPlayer),
  'GET /api/operator/users/:id/sessions': operators(MONEY_READERS, 200, ofAPlayer),
  'GET /api/operator/users/:id/sign-ins': operators(MONEY_READERS, 200, ofAPlayer),
  'GET /api/operator/users/:id/notes': operators(MONEY_READERS, 200, ofAPlayer),
  'POST /api/operator/users/:id/notes': operators(HELPERS, 201, aNewcomer({ note: 'Đã gọi lại' })),
  'POST /api/operator/users/ban': acts(OWNER, 200, async ({ portal }) => ({
    body: { ids: [(await aPlayer(portal)).id], scope: 'trading', until: null },
  })),
  'POST /api/operator/users/:id/ban': acts(OWNER, 200, aNewcomer({ scope: 'trading', until: null })),
  'POST /api/operator/users/:id/lift-ban': acts(OWNER, 409, aNewcomer({ scope: 'sign-in' })),
  'POST /api/operator/users/:id/end-sessions': acts(HELPERS, 200, aNewcomer()),
  // The account has no e-mail address.
  'POST /api/operator/users/:id/send-reset': acts(HELPERS, 409, aNewcomer()),
  // Without a fresh proof: without-proof.db.test.ts.
  'POST /api/operator/users/:id/adjustment': acts(OWNER, 200, aNewcomer({ amount: 1 })),
  'POST /api/operator/users/:id/reveal-contact': acts(OWNER, 200, aNewcomer()),
  'POST /api/operator/users/:id/view-as': acts(HELPERS, 200, aNewcomer()),
  'POST /api/operator/users/:id/remove-second-factor': acts(OWNER, 409, aNewcomer()),
  'POST /api/operator/users/:id/return': acts(OWNER, 202, async ({ portal }) => ({
    path: { id: (await aPlayer(portal)).id },
    body: { case_id: (await aVisitorCase(portal, { phone: aPhone() })).id },
  })),
  // Whose account is to be looked at is missing.
  'GET /api/operator/cases/:id/account': operators(OWNER, 422, nothingThere),
  'GET /api/operator/deletion-requests': operators(MONEY_READERS, 200),
  'GET /api/operator/deletion-requests/:id': operators(MONEY_READERS, 200, someDeletion()),
  'POST /api/operator/deletion-requests/:id/carry-out': acts(OWNER, 200, someDeletion()),
  'POST /api/operator/deletion-requests/:id/refuse': acts(
    OWNER,
    200,
    someDeletion({ message: 'Chưa làm được' }),
  ),
}
