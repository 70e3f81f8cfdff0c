import { setProof } from '#tests/support/operators.ts'
import { anHourAgo, FormFields } from '#tests/support/uploads.ts'
import { aPlayer } from '#tests/support/players.ts'
import { ask, type Answer } from './ask.ts'
import type { World } from './cast.ts'
import { asOwner, owner, ON_TRANSFERS } from './log-table-money.ts'
import { ON_PERSONAL_DATA, ON_PLAYERS } from './log-table-players.ts'
import { OPERATION_ACTS } from './log-table-operation.ts'

export type LoggedAct = {
  what: string
  act(world: World): Promise<Answer>
  status: number
  /** Fields of one of the lines of this request, besides time, address and request id. */
  says: Record<string, unknown>
  /** Whose id the line contains; undefined without a session. */
  who(world: World): string | undefined
}

const login = ({ portal, player }: World, password: string) =>
  ask(portal, { method: 'POST', path: '/api/auth/login', body: { username: player.username, password } })

const asPlayer =
  (path: string, body?: unknown, method = 'POST') =>
  ({ portal, player }: World) =>
    ask(portal, { method, path, token: player.token, body })

const player = (world: World) => world.player.id
const nobody = () => undefined

/** Acts that must be found in the log afterwards. A new act needs a row here. */
export const LOGGED_ACTS: LoggedAct[] = [
  ...OPERATION_ACTS,
  {
    what: 'a consent',
    act: asPlayer('/api/user/consents', {
      subject: 'pixel',
      version: 1,
      given: false,
      source: 'consents-page',
    }),
    status: 200,
    says: { route: '/api/user/consents', method: 'POST', status: 200 },
    who: player,
  },
  {
    what: 'a login',
    act: (world) => login(world, world.player.password),
    status: 200,
    says: { event: 'login.succeeded' },
    who: player,
  },
  {
    what: 'a login with a wrong password',
    act: (world) => login(world, 'khong-phai-no'),
    status: 422,
    says: { event: 'login.failed' },
    who: player,
  },
  {
    what: 'a login of nobody',
    act: ({ portal }) =>
      ask(portal, {
        method: 'POST',
        path: '/api/auth/login',
        body: { username: 'khongcoai', password: 'mat-khau-12' },
      }),
    status: 422,
    says: { event: 'login.failed', userId: null },
    who: nobody,
  },
  {
    what: 'a registration that is refused',
    act: (world) =>
      ask(world.portal, {
        method: 'POST',
        path: '/api/auth/register',
        body: { username: world.player.username, password: 'mat-khau-12', phone: '0987654321' },
      }),
    status: 422,
    says: { route: '/api/auth/register', refusal: 'USERNAME_TAKEN' },
    who: nobody,
  },
  {
    what: 'a transfer',
    act: async (world) => {
      const payee = (await aPlayer(world.portal)).username
      return asPlayer('/api/user/transfer', { payee, amount: 1_000 })(world)
    },
    status: 200,
    says: { route: '/api/user/transfer', status: 200 },
    who: player,
  },
  {
    what: 'a transfer that is refused',
    act: asPlayer('/api/user/transfer', { payee: 'khongcoai', amount: 1_000 }),
    status: 422,
    says: { route: '/api/user/transfer', refusal: 'PAYEE_NOT_FOUND' },
    who: player,
  },
  {
    what: 'a look-up of a payee',
    act: asPlayer('/api/user/transfer/payee', { payee: 'khongcoai' }),
    status: 422,
    says: { route: '/api/user/transfer/payee', refusal: 'PAYEE_NOT_FOUND' },
    who: player,
  },
  {
    what: 'a purchase',
    act: (world) =>
      asPlayer('/api/exchange/store', { character_id: world.characterId, amount: 10_000 })(world),
    status: 200,
    says: { route: '/api/exchange/store', status: 200 },
    who: player,
  },
  {
    what: 'an order',
    act: asPlayer('/api/recharge/orders', { channel: 2, amount: 20_000 }),
    status: 201,
    says: { route: '/api/recharge/orders', status: 201 },
    who: player,
  },
  {
    what: 'a claim',
    act: asPlayer('/api/recharge/claims', new FormFields({ amount: '20000', paid_at: anHourAgo() })),
    status: 201,
    says: { route: '/api/recharge/claims', status: 201 },
    who: player,
  },
  {
    what: 'an operator’s look at the picture of a claim',
    act: (world) => asOwner('GET', `/api/operator/recharge-claims/${world.claimId}/picture`)(world),
    status: 200,
    says: { route: '/api/operator/recharge-claims/:id/picture', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s answer to a claim',
    act: (world) =>
      asOwner('POST', `/api/operator/recharge-claims/${world.claimId}/answer`, {
        outcome: 'rejected',
        message: 'Chưa thấy khoản này.',
        reason: 'Không có trong sao kê',
      })(world),
    status: 200,
    says: { route: '/api/operator/recharge-claims/:id/answer', status: 200 },
    who: owner,
  },
  {
    what: 'an export of the statement',
    act: asPlayer('/api/user/transactions.csv', undefined, 'GET'),
    status: 200,
    says: { route: '/api/user/transactions.csv', status: 200 },
    who: player,
  },
  {
    what: 'an operator’s act',
    act: asOwner('POST', '/api/operator/posts', { title: 'Bài', content: '<p>Bài.</p>', reason: 'Kiểm tra' }),
    status: 201,
    says: { route: '/api/operator/posts', status: 201 },
    who: owner,
  },
  {
    what: 'the restoring of an old state of a post',
    act: async (world) =>
      asOwner('POST', `/api/operator/posts/${await world.aPost()}/revisions/1/restore`, {
        reason: 'Lấy lại',
      })(world),
    status: 200,
    says: { route: '/api/operator/posts/:id/revisions/:revision/restore', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s change of a setting',
    act: asOwner('PUT', '/api/operator/settings', {
      values: { site_name: 'Tên' },
      updated_at: null,
      reason: 'Đổi tên',
    }),
    status: 200,
    says: { route: '/api/operator/settings', method: 'PUT', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s change of a money setting without a fresh proof',
    act: async (world) => {
      await setProof(world.portal, world.owner, { isFresh: false })
      const values = { manual_credit_limit: '1' }
      const body = { values, updated_at: null, reason: 'Đổi mức' }
      const answer = await asOwner('PUT', '/api/operator/settings', body)(world)
      await setProof(world.portal, world.owner, { isFresh: true })
      return answer
    },
    status: 409,
    says: { route: '/api/operator/settings', status: 409, refusal: 'STEP_UP_REQUIRED' },
    who: owner,
  },
  {
    what: 'an operator’s step-up with a wrong code',
    act: asOwner('POST', '/api/operator/step-up', { otp: '000000' }),
    status: 422,
    says: { route: '/api/operator/step-up', status: 422, refusal: 'OTP_INVALID' },
    who: owner,
  },
  {
    what: 'an operator’s approval of what nobody proposed',
    act: asOwner('POST', '/api/operator/proposals/999999999/approve', { reason: 'Kiểm tra' }),
    status: 404,
    says: { route: '/api/operator/proposals/:id/approve', status: 404, refusal: 'NOT_FOUND' },
    who: owner,
  },
  {
    what: 'an operator’s question to the game about a delivery',
    act: async (world) => {
      const path = `/api/operator/deliveries/${await world.aStrangersDelivery()}/ask`
      return asOwner('POST', path, { reason: 'Kiểm tra' })(world)
    },
    status: 200,
    says: { route: '/api/operator/deliveries/:id/ask', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s sending again of several deliveries',
    act: async (world) => {
      const ids = [await world.aStrangersDelivery()]
      return asOwner('POST', '/api/operator/deliveries/retry', { ids, reason: 'Kiểm tra' })(world)
    },
    status: 200,
    says: { route: '/api/operator/deliveries/retry', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s refund of a delivery',
    act: async (world) => {
      const path = `/api/operator/deliveries/${await world.aStrangersDelivery()}/refund`
      return asOwner('POST', path, { reason: 'Kiểm tra' })(world)
    },
    status: 200,
    says: { route: '/api/operator/deliveries/:id/refund', status: 200 },
    who: owner,
  },
  ...ON_TRANSFERS,
  ...ON_PLAYERS,
  ...ON_PERSONAL_DATA,
  {
    what: 'an operator’s act on a tournament in a state that has passed',
    act: (world) =>
      asOwner('POST', `/api/operator/tournaments/${world.tournamentId}/draw`, {
        updated_at: '2020-01-01T00:00:00.000Z',
        reason: 'Kiểm tra',
      })(world),
    status: 409,
    says: { route: '/api/operator/tournaments/:id/draw', refusal: 'CONFLICT' },
    who: owner,
  },
  {
    what: 'an operator’s call by a player',
    act: asPlayer('/api/operator/posts', { title: 'Bài', content: '<p>Bài.</p>' }),
    status: 401,
    says: { msg: 'an operator call was refused', permission: 'posts.write' },
    who: player,
  },
  {
    what: 'a call with a dead session',
    act: ({ portal }) =>
      ask(portal, { method: 'GET', path: '/api/user/transactions', token: 'A'.repeat(43) }),
    status: 401,
    says: { route: '/api/user/transactions', refusal: 'UNAUTHENTICATED' },
    who: nobody,
  },
  {
    what: 'a notification with a wrong signature',
    act: ({ portal }) => ask(portal, { method: 'POST', path: '/api/webhooks/sepay', body: { id: 1 } }),
    status: 401,
    says: { route: '/api/webhooks/sepay', status: 401 },
    who: nobody,
  },
  {
    what: 'the end of a session',
    act: asPlayer('/api/auth/logout'),
    status: 204,
    says: { event: 'logout' },
    who: player,
  },
]
