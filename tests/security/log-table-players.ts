import { aPlayer } from '#tests/support/players.ts'
import type { World } from './cast.ts'
import { asOwner, owner } from './log-table-money.ts'

/** The owner's acts on a new player; `says` is the refusal, where there is one. */
export const ON_PLAYERS = (
  [
    ['ban', { scope: 'trading', until: null }, 200, {}],
    ['lift-ban', { scope: 'sign-in' }, 409, { refusal: 'CONFLICT' }],
    ['end-sessions', {}, 200, {}],
    ['send-reset', {}, 409, { refusal: 'CONFLICT' }],
    ['notes', { note: 'Đã gọi lại' }, 201, {}],
    ['adjustment', { amount: 1 }, 409, { refusal: 'STEP_UP_REQUIRED' }],
    ['reveal-contact', {}, 409, { refusal: 'STEP_UP_REQUIRED' }],
    ['remove-second-factor', {}, 409, { refusal: 'STEP_UP_REQUIRED' }],
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
