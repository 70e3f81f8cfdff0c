import { randomUUID } from 'node:crypto'
import { ROLE_PERMISSIONS, ROLES } from '#contract/operator/roles.ts'
import { anHourAgo, FormFields } from '#tests/support/uploads.ts'
import { aTransfer } from '#tests/support/bank.ts'
import { anEmail } from '#tests/support/mail.ts'
import { aPlayer } from '#tests/support/players.ts'
import { ask } from './ask.ts'
import { everyone, operators, signedIn, type Probe, type Row } from './access-rows.ts'
import { MONEY_ACCESS, SEVERAL_ACCESS } from './access-money.ts'
import { PERSONAL_ACCESS } from './access-personal.ts'
import { OPERATION_ACCESS } from './access-operation.ts'
import { TOURNAMENT_ACCESS } from './access-tournaments.ts'
import type { World } from './cast.ts'

const EDITORS = ['owner', 'editor'] as const
const OWNER = ['owner'] as const
const HELPERS = ['owner', 'support'] as const
const WITH_PERMISSIONS = ROLES.filter((role) => ROLE_PERMISSIONS[role].length > 0)
const CASHIERS = ['owner', 'cashier'] as const
const MONEY_READERS = ['owner', 'cashier', 'support'] as const

// Has not activated or bought anything.
const IDLE = { newcomer: 422 }

const reason = 'Kiểm tra quyền'
const post = { title: 'Bài thử', content: '<p>Thử.</p>', reason }

const orderOf = ({ orderCode }: World): Probe => ({ path: { code: orderCode } })
const removing = async (probe: Promise<Probe>): Promise<Probe> => ({ ...(await probe), body: { reason } })
const somePost = async (world: World): Promise<Probe> => ({ path: { id: await world.aPost() } })
const someDelivery = async (world: World): Promise<Probe> => ({
  path: { id: await world.aStrangersDelivery() },
  body: { reason: 'Kiểm tra quyền', evidence: 'Ảnh chụp' },
})
/** A bank transfer in review, created again for each caller. */
const someTransfer =
  (body: object = {}) =>
  async ({ portal }: World): Promise<Probe> => ({
    path: { id: await aTransfer(portal) },
    body: { reason: 'Kiểm tra quyền', ...body },
  })
const nothingThere = (): Probe => ({ path: { id: '999999999' }, body: { reason: 'Kiểm tra quyền' } })
const claimOf = ({ claimId }: World): Probe => ({ path: { id: claimId } })
const aPlayersId = ({ other }: World): Probe => ({ path: { id: other.id } })
/** An act on a player, who is made anew for each caller. */
const aNewcomer =
  (body: object = {}) =>
  async ({ portal }: World): Promise<Probe> => ({
    path: { id: (await aPlayer(portal)).id },
    body: { reason: 'Kiểm tra quyền', ...body },
  })
const someCategory = async (world: World): Promise<Probe> => ({ path: { id: await world.aCategory() } })

/** Another session of the player, which can be ended without ending the one used for the table. */
async function aSecondSession({ portal, player: { username, password, token } }: World): Promise<string> {
  await ask(portal, { method: 'POST', path: '/api/auth/login', body: { username, password } })
  const { body } = await ask(portal, { method: 'GET', path: '/api/auth/sessions', token })
  return (body as { id: string; is_current: boolean }[]).find((session) => !session.is_current)?.id ?? ''
}

/**
 * The status for each caller, route by route. Every served route is listed; a route without a row
 * fails the test, and so does a row whose route is gone.
 */
export const ACCESS_TABLE: Record<string, Row> = {
  'GET /healthz': everyone(200),
  'GET /readyz': everyone(200),
  'GET /robots.txt': everyone(200),
  'GET /sitemap.xml': everyone(200),
  'GET /feed.xml': everyone(200),
  'GET /share/:name.png': everyone(200, () => ({ path: { name: 'page-terms' } })),
  'GET /download/qr/:key.svg': everyone(404, () => ({ path: { key: 'khong-co' } })),
  'GET /api/openapi.json': everyone(200),
  'GET /api/docs': everyone(200),

  'GET /api/settings': everyone(200),
  'GET /api/servers': everyone(200),
  'GET /uploads/:file': everyone(404, () => ({ path: { file: 'khong-co.webp' } })),
  'GET /api/posts': everyone(200),
  'GET /api/posts/:id': everyone(200, async (world) => ({ path: { id: await world.aPost() } })),
  'GET /api/categories': everyone(200),
  'GET /api/legal/:kind': everyone(200, () => ({ path: { kind: 'privacy' } })),
  'GET /api/categories/:id': everyone(200, async (world) => ({ path: { id: await world.aCategory() } })),
  'GET /api/tournaments': everyone(200),
  'GET /api/tournaments/brackets/:id': everyone(200, ({ tournamentId }) => ({ path: { id: tournamentId } })),
  'GET /api/exchange': everyone(200),

  'POST /api/auth/register': everyone(422, ({ player }) => ({
    body: { username: player.username, password: 'mat-khau-12', phone: '0901234567' },
  })),
  'POST /api/auth/login': everyone(422, ({ player }) => ({
    body: { username: player.username, password: 'khong-phai-no' },
  })),
  'POST /api/auth/verify': everyone(401, () => ({ body: { access_token: 'A'.repeat(43) } })),
  'POST /api/password/request': everyone(200, ({ player }) => ({
    body: { username: player.username, email: anEmail() },
  })),
  'POST /api/password/reset': everyone(422, () => ({
    body: { token: 'A'.repeat(43), password: 'mat-khau-12' },
  })),
  'POST /api/password/reset-via-phone': everyone(422, ({ player }) => ({
    body: { username: player.username, phone: '0901234567', password: 'mat-khau-12', code: '012345' },
  })),
  'POST /api/one-time-password/verify': everyone(422, () => ({
    body: { phone: '0901234567', code: '012345' },
  })),
  // Beyond its shape it calls the portal's own address, where this one does not listen.
  'POST /api/sandbox/sms': everyone(422, () => ({ body: { phone: 'khong-phai-so', text: 'XIN CHAO' } })),
  'POST /api/sms/mo': everyone(401, () => ({ body: {} })),
  'GET /api/sms/mo/esms': everyone(401),
  'GET /api/sms/mo/1pay': everyone(401),
  'POST /api/webhooks/sepay': everyone(401, () => ({ body: { id: 1 } })),
  'POST /api/webhooks/casso': everyone(401, () => ({ body: { error: 0 } })),
  'POST /api/webhooks/payos': everyone(401, () => ({ body: { code: '00' } })),
  'POST /api/webhooks/momo': everyone(401, () => ({ body: { partnerCode: 'MOMO' } })),

  'GET /api/auth/sessions': signedIn(200),
  'DELETE /api/auth/sessions/:id': signedIn(404, { player: 204 }, async (world) => ({
    path: { id: await aSecondSession(world) },
  })),
  'DELETE /api/auth/sessions': signedIn(204),
  'GET /api/auth/sign-ins': signedIn(200),
  'POST /api/user/change-password': signedIn(422, {}, () => ({
    body: { current_password: 'khong-phai-no', password: 'mat-khau-moi-12' },
  })),
  ...PERSONAL_ACCESS,
  'POST /api/email/send-otp': signedIn(200, {}, () => ({ body: { email: anEmail() } })),
  'POST /api/email/verify': signedIn(422, {}, () => ({ body: { code: '012345' } })),
  'POST /api/email/update': signedIn(422, {}, () => ({
    body: { newEmail: 'thu-moi@example.com', newEmailOtp: '012345' },
  })),
  'POST /api/phone/update': signedIn(422, {}, () => ({ body: { code: '012345', newPhone: '0901234567' } })),
  'GET /api/user/invitation': signedIn(200),
  'GET /api/user/consents': signedIn(200),
  'POST /api/user/consents': signedIn(200, {}, () => ({
    body: { subject: 'pixel', version: 1, given: false, source: 'consents-page' },
  })),
  'GET /api/user/second-factor': signedIn(200),
  // Nothing was begun, and there is nothing to take away.
  'POST /api/user/second-factor/confirm': signedIn(409, {}, () => ({ body: { code: '000000' } })),
  'DELETE /api/user/second-factor': signedIn(409, {}, () => ({ body: { code: '000000' } })),
  'POST /api/user/second-factor': signedIn(200),
  'GET /api/user/transactions': signedIn(200),
  'GET /api/user/transactions.csv': signedIn(200),
  'GET /api/user/deliveries': signedIn(200),
  'GET /api/user/deliveries/events': signedIn(200),
  'GET /api/user/deliveries/:id': signedIn(404, { player: 200 }, async (world) => ({
    path: { id: await world.aDelivery() },
  })),
  'GET /api/groups': signedIn(200),
  'GET /api/groups/:id/entries': signedIn(200, {}, ({ groupId }) => ({ path: { id: groupId } })),
  'GET /api/recharge/channels': signedIn(200),
  'GET /api/recharge/orders': signedIn(200),
  'POST /api/recharge/orders': signedIn(201, { banned: 422 }, () => ({
    body: { channel: 2, amount: 20_000 },
  })),
  'GET /api/recharge/orders/:code': signedIn(404, { player: 200 }, orderOf),
  'GET /api/recharge/orders/:code/events': signedIn(404, { player: 200 }, orderOf),
  'GET /api/recharge/claims': signedIn(200),
  'POST /api/recharge/claims': signedIn(201, {}, () => ({
    body: new FormFields({ amount: '20000', paid_at: anHourAgo() }),
  })),
  'POST /api/sandbox/pay': signedIn(422, {}, () => ({ body: { code: 'KHONGCO' } })),
  'POST /api/user/active': signedIn(409, { ...IDLE, banned: 422 }),
  'POST /api/user/transfer': signedIn(200, { ...IDLE, banned: 422 }, async ({ portal }) => ({
    body: { payee: (await aPlayer(portal)).username, amount: 1_000 },
  })),
  'POST /api/user/transfer/payee': signedIn(200, { ...IDLE, banned: 422 }, async ({ portal }) => ({
    body: { payee: (await aPlayer(portal)).username },
  })),
  'GET /api/user/transfer/payees': signedIn(200),
  'POST /api/exchange/store': signedIn(422, { player: 200 }, ({ characterId }) => ({
    body: { character_id: characterId, amount: 10_000 },
  })),
  'POST /api/user/buy-package': signedIn(422, { player: 200 }, ({ characterId }) => ({
    body: { character_id: characterId, package_id: 9_999 },
  })),
  // These end what the rows above read, so they come after them.
  'POST /api/recharge/orders/:code/cancel': signedIn(404, { player: 200 }, orderOf),

  'GET /api/operator/posts': operators(EDITORS, 200),
  'POST /api/operator/posts': operators(EDITORS, 201, () => ({ body: post })),
  'GET /api/operator/posts/:id': operators(EDITORS, 200, somePost),
  'PUT /api/operator/posts/:id': operators(EDITORS, 200, async (world) => ({
    ...(await somePost(world)),
    body: post,
  })),
  'DELETE /api/operator/posts/:id': operators(EDITORS, 200, (world) => removing(somePost(world))),
  'GET /api/operator/posts.csv': operators(EDITORS, 200),
  'GET /api/operator/posts/:id/draft': operators(EDITORS, 200, somePost),
  // Another state than the post's.
  'PUT /api/operator/posts/:id/draft': operators(EDITORS, 409, async (world) => ({
    ...(await somePost(world)),
    body: { ...post, updated_at: '2026-01-01T00:00:00Z' },
  })),
  'DELETE /api/operator/posts/:id/draft': operators(EDITORS, 204, somePost),
  'GET /api/operator/posts/:id/revisions': operators(EDITORS, 200, somePost),
  'POST /api/operator/posts/:id/revisions/:revision/restore': operators(EDITORS, 200, async (world) => ({
    path: { id: await world.aPost(), revision: '1' },
    body: { reason: 'Kiểm tra quyền' },
  })),
  'GET /api/operator/posts/:id/preview': operators(EDITORS, 200, somePost),
  'GET /api/operator/pictures': operators(EDITORS, 200),
  // Without its file.
  'POST /api/operator/pictures': operators(EDITORS, 422, () => ({
    body: new FormFields({ alt: 'Ảnh', reason }),
  })),
  'DELETE /api/operator/pictures/:id': operators(EDITORS, 404, () => ({
    path: { id: '999999999' },
    body: { reason },
  })),
  'GET /api/operator/categories': operators(EDITORS, 200),
  'POST /api/operator/categories': operators(EDITORS, 201, () => ({ body: { title: 'Thử', reason } })),
  'GET /api/operator/categories/:id': operators(EDITORS, 200, someCategory),
  'PUT /api/operator/categories/:id': operators(EDITORS, 200, async (world) => ({
    ...(await someCategory(world)),
    body: { title: 'Đổi', reason },
  })),
  'DELETE /api/operator/categories/:id': operators(EDITORS, 200, (world) => removing(someCategory(world))),
  'GET /api/operator/recharge-claims': operators(MONEY_READERS, 200),
  'GET /api/operator/recharge-claims.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/recharge-claims/:id': operators(MONEY_READERS, 200, claimOf),
  'GET /api/operator/recharge-claims/:id/picture': operators(MONEY_READERS, 200, claimOf),
  // Repeating an answer is refused.
  'POST /api/operator/recharge-claims/:id/answer': operators(MONEY_READERS, 200, (world) => ({
    ...claimOf(world),
    body: { outcome: 'rejected', message: 'Chưa thấy khoản này.', reason: 'Không có trong sao kê' },
  })),
  ...MONEY_ACCESS,
  ...SEVERAL_ACCESS,
  ...TOURNAMENT_ACCESS,
  'GET /api/operator/statistics': operators(CASHIERS, 200),
  ...OPERATION_ACCESS,
  'GET /api/operator/alarms': operators(ROLES, 200),
  'GET /api/operator/events': operators(ROLES, 200),
  'POST /api/operator/session': everyone(422, ({ player }) => ({
    body: { username: player.username, password: 'khong-phai-no' },
  })),
  'GET /api/operator/me': operators(WITH_PERMISSIONS, 200),
  // A wrong code.
  'POST /api/operator/step-up': operators(ROLES, 422, () => ({ body: { otp: '000000' } })),
  'GET /api/operator/proposals': operators(CASHIERS, 200),
  'POST /api/operator/proposals/:id/approve': operators(CASHIERS, 404, nothingThere),
  'POST /api/operator/proposals/:id/reject': operators(CASHIERS, 404, nothingThere),
  'POST /api/operator/proposals/:id/withdraw': operators(CASHIERS, 404, nothingThere),

  'GET /api/operator/deliveries': operators(MONEY_READERS, 200),
  'GET /api/operator/deliveries.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/deliveries/:id': operators(MONEY_READERS, 200, someDelivery),
  // A new purchase is neither parked nor delivered.
  'POST /api/operator/deliveries/:id/retry': operators(CASHIERS, 409, someDelivery),
  'POST /api/operator/deliveries/:id/settle': operators(CASHIERS, 409, someDelivery),
  'GET /api/operator/deliveries/:id/attempts': operators(MONEY_READERS, 200, someDelivery),
  'GET /api/operator/game-bridge': operators(MONEY_READERS, 200),
  'POST /api/operator/deliveries/:id/ask': operators(CASHIERS, 200, someDelivery),
  'POST /api/operator/deliveries/retry': operators(CASHIERS, 200, () => ({
    body: { ids: [randomUUID()], reason: 'Kiểm tra' },
  })),
  'POST /api/operator/deliveries/:id/refund': operators(CASHIERS, 200, someDelivery),

  // Without `q`.
  'GET /api/operator/search': operators(WITH_PERMISSIONS, 422),
  'GET /api/operator/users': operators(MONEY_READERS, 200),
  'GET /api/operator/users.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/users/:id': operators(MONEY_READERS, 200, aPlayersId),
  'GET /api/operator/users/:id/trail': operators(MONEY_READERS, 200, aPlayersId),
  'GET /api/operator/users/:id/sessions': operators(MONEY_READERS, 200, aPlayersId),
  'GET /api/operator/users/:id/sign-ins': operators(MONEY_READERS, 200, aPlayersId),
  'GET /api/operator/users/:id/notes': operators(MONEY_READERS, 200, aPlayersId),
  'POST /api/operator/users/:id/notes': operators(HELPERS, 201, aNewcomer({ note: 'Đã gọi lại' })),
  'POST /api/operator/users/:id/ban': operators(OWNER, 200, aNewcomer({ scope: 'trading', until: null })),
  'POST /api/operator/users/:id/lift-ban': operators(OWNER, 409, aNewcomer({ scope: 'sign-in' })),
  'POST /api/operator/users/:id/end-sessions': operators(HELPERS, 200, aNewcomer()),
  // The account has no e-mail address.
  'POST /api/operator/users/:id/send-reset': operators(HELPERS, 409, aNewcomer()),
  // The owner has not stepped up; with fresh proof: adjusting.db.test.ts and helping.db.test.ts.
  'POST /api/operator/users/:id/adjustment': operators(OWNER, 200, aNewcomer({ amount: 1 })),
  'POST /api/operator/users/:id/reveal-contact': operators(OWNER, 200, aNewcomer()),
  'POST /api/operator/users/:id/view-as': operators(HELPERS, 200, aNewcomer()),
  'POST /api/operator/users/:id/remove-second-factor': operators(OWNER, 409, aNewcomer()),
  'GET /api/operator/bank-transfers': operators(MONEY_READERS, 200),
  'GET /api/operator/bank-transfers.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/bank-transfers/:id': operators(MONEY_READERS, 200, someTransfer()),
  'POST /api/operator/bank-transfers/:id/match': operators(
    CASHIERS,
    422,
    someTransfer({ order_code: 'TCX7K2QF9XAMM' }),
  ),
  'POST /api/operator/bank-transfers/:id/credit': operators(CASHIERS, 200, async (world) =>
    someTransfer({ user_id: world.cast.newcomer?.id })(world),
  ),
  'POST /api/operator/bank-transfers/:id/refund': operators(
    CASHIERS,
    200,
    someTransfer({ outgoing_reference: 'FT1', refunded_on: '2026-01-01' }),
  ),
  // It did not come by MoMo.
  'POST /api/operator/bank-transfers/:id/refund-at-gateway': operators(CASHIERS, 422, someTransfer()),
  'POST /api/operator/bank-transfers/:id/ignore': operators(CASHIERS, 200, someTransfer()),
  // An incoming transfer, not credited, without a proposal.
  'POST /api/operator/bank-transfers/:id/link-reversal': operators(
    CASHIERS,
    409,
    someTransfer({ original_id: '1' }),
  ),
  'POST /api/operator/bank-transfers/:id/reverse-credit': operators(OWNER, 409, someTransfer()),
  'POST /api/operator/bank-transfers/:id/approve': operators(CASHIERS, 409, someTransfer()),
  'POST /api/operator/bank-transfers/:id/reject': operators(CASHIERS, 409, someTransfer()),
  'POST /api/operator/bank-transfers/:id/withdraw': operators(CASHIERS, 409, someTransfer()),
  'GET /api/operator/ledger-transfers': operators(MONEY_READERS, 200),
  'GET /api/operator/ledger-transfers.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/ledger-transfers/:id': operators(MONEY_READERS, 404, nothingThere),
  'GET /api/operator/payment-events': operators(MONEY_READERS, 200),
  'GET /api/operator/payment-events.csv': operators(MONEY_READERS, 200),
  'GET /api/operator/payment-events/:id': operators(MONEY_READERS, 404, nothingThere),
  'POST /api/operator/payment-events/:id/accept': operators(CASHIERS, 404, nothingThere),
  'POST /api/operator/payment-events/:id/dismiss': operators(CASHIERS, 404, nothingThere),
  'POST /api/operator/users/:id/settle-debt': operators(CASHIERS, 409, ({ other }) => ({
    path: { id: other.id },
    body: { reason: 'Kiểm tra quyền' },
  })),

  // These end their own session, so they are last.
  'POST /api/auth/logout': signedIn(204),
  'DELETE /api/operator/session': operators(ROLES, 204),
}
