import { randomInt, randomUUID } from 'node:crypto'
import { findTrader } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { anAddress } from './addresses.ts'
import type { TestApp } from './app.ts'

export type TestPlayer = {
  id: string
  username: string
  password: string
  token: string
  /** Where they registered. */
  address: string
  walletId: string
}

/** A portal under test, in this process or behind its port. */
export type Portal = Pick<TestApp, 'call' | 'db'>

export type PlayerWishes = {
  username?: string
  password?: string
  phone?: string
  serverId?: string
  /** TCoin in the wallet when done; the activation fee comes on top. */
  coins?: number
  isActivated?: boolean
}

const randomPhone = () => `09${String(randomInt(100_000_000)).padStart(8, '0')}`
const randomUsername = () => `nguoichoi${randomInt(10_000_000_000).toString(36)}`

/** A player made as players are made: by registering, being credited, and activating. */
export async function aPlayer(test: Portal, wishes: PlayerWishes = {}): Promise<TestPlayer> {
  const username = wishes.username ?? randomUsername()
  const password = wishes.password ?? 'mat-khau-12'
  const address = anAddress()
  const answer = await test.call('POST', '/api/auth/register', {
    from: address,
    body: {
      username,
      password,
      phone: wishes.phone ?? randomPhone(),
      name: username,
      server_id: wishes.serverId ?? '1',
    },
  })
  invariant(answer.status === 201, `a test player registers: ${JSON.stringify(answer.body)}`)
  const token = (answer.body as { access_token: string }).access_token
  const user = await test.call('POST', '/api/auth/verify', { body: { access_token: token } })
  const trader = await findTrader(test.db, (user.body as { id: string }).id)
  invariant(trader, 'a registered player has a wallet')
  const player = { id: trader.id, username, password, token, address, walletId: trader.walletId }
  if (wishes.isActivated) await activatePlayer(test, player)
  if (wishes.coins) await creditPlayer(test, player, wishes.coins)
  return player
}

/** TCoin from the portal's adjustment account. */
export async function creditPlayer(
  test: Pick<TestApp, 'db'>,
  player: Pick<TestPlayer, 'walletId'>,
  coins: number,
): Promise<void> {
  await inTransaction(test.db, (tx) =>
    postTransfer(tx, {
      kind: 'adjustment',
      debit: HOUSE.adjustment,
      credit: player.walletId,
      amount: coins,
      source: { type: 'test', id: randomUUID() },
    }),
  )
}

async function activatePlayer(test: Portal, player: TestPlayer): Promise<void> {
  const settings = await test.call('GET', '/api/settings')
  await creditPlayer(test, player, Number((settings.body as Record<string, string>).active_fee))
  const answer = await test.call('POST', '/api/user/active', { token: player.token })
  invariant(answer.status === 200, `a test player activates: ${JSON.stringify(answer.body)}`)
}
