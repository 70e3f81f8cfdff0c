import { aDeletion, aPlayer } from '#tests/support/players.ts'
import { ask } from './ask.ts'
import type { World } from './cast.ts'
import type { LoggedAct } from './log-table.ts'
import { asOwner, owner } from './log-table-money.ts'

/** The owner's acts on a new player; `says` is the refusal, where there is one. */
export const ON_PLAYERS = (
  [
    ['ban', { scope: 'trading', until: null }, 200, {}],
    ['lift-ban', { scope: 'sign-in' }, 409, { refusal: 'CONFLICT' }],
    ['end-sessions', {}, 200, {}],
    ['send-reset', {}, 409, { refusal: 'CONFLICT' }],
    ['notes', { note: 'Đã gọi lại' }, 201, {}],
    ['adjustment', { amount: 1 }, 200, {}],
    ['reveal-contact', {}, 200, {}],
    ['view-as', {}, 200, {}],
    ['remove-second-factor', {}, 409, { refusal: 'CONFLICT' }],
  ] as const
).map(([name, body, status, says]) => ({
  what: `an operator’s act ${name} on a player`,
  act: async (world: World) => {
    const path = `/api/operator/users/${(await aPlayer(world.portal)).id}/${name}`
    return asOwner('POST', path, { reason: 'Kiểm tra', ...body })(world)
  },
  status,
  says: { route: `/api/operator/users/:id/${name}`, status, ...says },
  who: owner,
}))

const wrongPassword = { current_password: 'khong-phai-no', given_up: 0 }

/** A player's own data, and requests to be erased. */
export const ON_PERSONAL_DATA: LoggedAct[] = [
  {
    what: 'a download of one’s own data with a wrong password',
    act: ({ portal, player }) =>
      ask(portal, {
        method: 'POST',
        path: '/api/user/personal-data',
        token: player.token,
        body: wrongPassword,
      }),
    status: 422,
    says: { event: 'password.check-refused' },
    who: ({ player }) => player.id,
  },
  {
    what: 'a request to be erased with a wrong password',
    act: ({ portal, player }) =>
      ask(portal, {
        method: 'POST',
        path: '/api/user/deletion-request',
        token: player.token,
        body: wrongPassword,
      }),
    status: 422,
    says: { event: 'password.check-refused' },
    who: ({ player }) => player.id,
  },
  {
    what: 'a withdrawal of a request there is not',
    act: ({ portal, player }) =>
      ask(portal, { method: 'DELETE', path: '/api/user/deletion-request', token: player.token }),
    status: 409,
    says: { route: '/api/user/deletion-request', method: 'DELETE', refusal: 'CONFLICT' },
    who: ({ player }) => player.id,
  },
  {
    what: 'an operator’s agreement to a request to be erased',
    act: async (world) => {
      const path = `/api/operator/deletion-requests/${await aDeletion(world.portal)}/carry-out`
      return asOwner('POST', path, { reason: 'Kiểm tra' })(world)
    },
    status: 200,
    says: { route: '/api/operator/deletion-requests/:id/carry-out', status: 200 },
    who: owner,
  },
  {
    what: 'an operator’s refusal of a request to be erased',
    act: async (world) => {
      const path = `/api/operator/deletion-requests/${await aDeletion(world.portal)}/refuse`
      return asOwner('POST', path, { message: 'Chưa làm được', reason: 'Kiểm tra' })(world)
    },
    status: 200,
    says: { route: '/api/operator/deletion-requests/:id/refuse', status: 200 },
    who: owner,
  },
]
