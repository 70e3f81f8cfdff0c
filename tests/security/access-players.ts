import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { sendCase } from '#tests/support/cases.ts'
import { anHourAgo, FormFields } from '#tests/support/uploads.ts'
import { anEmail } from '#tests/support/mail.ts'
import { aPlayer } from '#tests/support/players.ts'
import { browserKeys } from '#tests/support/push-service.ts'
import { signedIn, type Probe, type Rows } from './access-rows.ts'
import { sendRequest } from './send-request.ts'
import type { World } from './cast.ts'

const ofTournament =
  (body?: object) =>
  ({ tournamentId }: World) => ({
    path: { id: tournamentId, team: '999999999' },
    ...(body && { body }),
  })

/** A player who has not activated or bought anything cannot trade, nor can a banned one. */
const IDLE = { newcomer: 422 }
const TRADERS = { ...IDLE, banned: 422 }

const orderOf = ({ orderCode }: World): Probe => ({ path: { code: orderCode } })

/** The case of `player` about the order. */
async function caseOf({ portal, player, orderCode }: World): Promise<{ path: { id: string } }> {
  const { rows } = await sql<{ id: string }>`SELECT id FROM help_case WHERE about_id = ${orderCode}`.execute(
    portal.db,
  )
  const id =
    rows[0]?.id ??
    ((await sendCase(portal, player, { kind: 'order', id: orderCode })).body as { id: string }).id
  return { path: { id } }
}

/** Another session of the player, which can be ended without ending the one used for the table. */
async function aSecondSession({ portal, player: { username, password, token } }: World): Promise<string> {
  await sendRequest(portal, { method: 'POST', path: '/api/auth/login', body: { username, password } })
  const { body } = await sendRequest(portal, { method: 'GET', path: '/api/auth/sessions', token })
  return (body as { id: string; is_current: boolean }[]).find((session) => !session.is_current)?.id ?? ''
}

/** What a player does with a session of the player site. */
export const PLAYERS_ACCESS: Rows = {
  'GET /api/auth/sessions': signedIn(200),
  'DELETE /api/auth/sessions/:id': signedIn(404, { player: 204 }, async (world) => ({
    path: { id: await aSecondSession(world) },
  })),
  'DELETE /api/auth/sessions': signedIn(204),
  'GET /api/auth/sign-ins': signedIn(200),
  'POST /api/user/change-password': signedIn(422, {}, () => ({
    body: { current_password: 'khong-phai-no', password: 'mat-khau-moi-12' },
  })),
  'POST /api/user/personal-data': signedIn(422, {}, () => ({ body: { current_password: 'khong-phai-no' } })),
  'GET /api/user/deletion-request': signedIn(200),
  'POST /api/user/deletion-request': signedIn(422, {}, () => ({
    body: { current_password: 'khong-phai-no', given_up: 0 },
  })),
  // Nothing was requested.
  'DELETE /api/user/deletion-request': signedIn(409),
  'POST /api/email/send-otp': signedIn(200, {}, () => ({ body: { email: anEmail() } })),
  'POST /api/email/verify': signedIn(422, {}, () => ({ body: { code: '012345' } })),
  'POST /api/email/update': signedIn(422, {}, () => ({
    body: { newEmail: 'thu-moi@example.com', newEmailOtp: '012345' },
  })),
  'GET /api/user/contact-hints': signedIn(200),
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
  'GET /api/tournaments/invitations': signedIn(200),
  'GET /api/tournaments/results': signedIn(200),
  'GET /api/tournaments/:id/mine': signedIn(200, {}, ofTournament()),
  'GET /api/tournaments/:id/reminder': signedIn(200, {}, ofTournament()),
  'PUT /api/tournaments/:id/reminder': signedIn(200, {}, ofTournament({ wanted: false })),
  // Registration is closed.
  'POST /api/tournaments/:id/teams': signedIn(409, {}, ofTournament({ name: 'Mây', character_id: '1' })),
  'PUT /api/tournaments/:id/teams/:team': signedIn(404, {}, ofTournament({ name: 'Mây', invites: [] })),
  'DELETE /api/tournaments/:id/teams/:team': signedIn(404, {}, ofTournament()),
  // Nobody has invited them.
  'POST /api/tournaments/:id/teams/:team/accept': signedIn(409, {}, ofTournament({ character_id: '1' })),
  'POST /api/tournaments/:id/teams/:team/decline': signedIn(404, {}, ofTournament()),
  'POST /api/tournaments/:id/teams/:team/pay': signedIn(404, {}, ofTournament()),
  'POST /api/tournaments/:id/teams/:team/check-in': signedIn(404, {}, ofTournament()),
  'GET /api/user/deliveries/:id': signedIn(404, { player: 200 }, async (world) => ({
    path: { id: await world.aDelivery() },
  })),
  'GET /api/home': signedIn(200),
  'GET /api/notices': signedIn(200),
  'GET /api/invitations': signedIn(200),
  'GET /api/notices/events': signedIn(200),
  'POST /api/notices/read': signedIn(200, {}, () => ({ body: { until: '1' } })),
  'POST /api/notices/read-page': signedIn(200, {}, () => ({ body: { href: '/user/help/1' } })),
  'GET /api/notices/preferences': signedIn(200),
  'PUT /api/notices/preferences': signedIn(200, {}, () => ({ body: { claim: { bell: true } } })),
  'GET /api/push/key': signedIn(200),
  'POST /api/push/subscriptions': signedIn(201, {}, () => ({
    body: {
      endpoint: `https://updates.push.services.mozilla.com/wpush/v2/${randomUUID()}`,
      keys: browserKeys(),
    },
  })),
  'DELETE /api/push/subscriptions/:id': signedIn(404, {}, () => ({ path: { id: '999999999' } })),
  'GET /api/groups': signedIn(200),
  'GET /api/user/ranking-name': signedIn(200),
  'PUT /api/user/ranking-name': signedIn(200, {}, () => ({ body: { nickname: null } })),
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
  'GET /api/cases': signedIn(200),
  // Without what it is about.
  'GET /api/cases/about': signedIn(422),
  'POST /api/cases': signedIn(404, { player: 201 }, async (world) => ({
    body: new FormFields({
      about_kind: 'delivery',
      about_id: await world.aDelivery(),
      text: 'Chưa thấy lượng',
    }),
  })),
  'GET /api/cases/:id': signedIn(404, { player: 200 }, caseOf),
  'POST /api/cases/:id/messages': signedIn(404, { player: 201 }, async (world) => ({
    ...(await caseOf(world)),
    body: new FormFields({ text: 'Vẫn chưa thấy' }),
  })),
  'GET /api/cases/:id/pictures/:picture': signedIn(404, {}, async (world) => ({
    path: { ...(await caseOf(world)).path, picture: '999999999' },
  })),
  'POST /api/sandbox/pay': signedIn(422, {}, () => ({ body: { code: 'KHONGCO' } })),
  'POST /api/user/active': signedIn(409, TRADERS),
  'POST /api/user/transfer': signedIn(200, TRADERS, async ({ portal }) => ({
    body: { payee: (await aPlayer(portal)).username, amount: 1_000 },
  })),
  'POST /api/user/transfer/payee': signedIn(200, TRADERS, async ({ portal }) => ({
    body: { payee: (await aPlayer(portal)).username },
  })),
  'GET /api/user/transfer/payees': signedIn(200),
  'GET /api/check-in': signedIn(200),
  // Closed until an operator opens it.
  'POST /api/check-in': signedIn(503, TRADERS, ({ characterId }) => ({
    body: { character_id: characterId },
  })),
  'POST /api/milestones/:id/claim': signedIn(404, TRADERS, ({ characterId }) => ({
    path: { id: '999999999' },
    body: { character_id: characterId },
  })),
  'POST /api/exchange/store': signedIn(422, { player: 200 }, ({ characterId }) => ({
    body: { character_id: characterId, amount: 10_000 },
  })),
  // Nobody has made one.
  'POST /api/gift-codes/redeem': signedIn(422, {}, () => ({ body: { code: 'ABCD-EFGH-JKMN' } })),
  'POST /api/user/buy-package': signedIn(422, { player: 200 }, ({ characterId }) => ({
    body: { character_id: characterId, package_id: 9_999 },
  })),
  // This ends what the rows above read.
  'POST /api/recharge/orders/:code/cancel': signedIn(404, { player: 200 }, orderOf),
}
