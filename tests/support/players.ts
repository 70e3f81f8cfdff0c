import { createHash, randomBytes, randomInt, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { findTrader } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import type { TestApp } from './app.ts'
import { asOwner } from './databases.ts'

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
  /** The username of who invited them. */
  inviter?: string
  address?: string
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
  const address = wishes.address ?? anAddress()
  const answer = await test.call('POST', '/api/auth/register', {
    from: address,
    body: {
      username,
      password,
      phone: wishes.phone ?? randomPhone(),
      name: username,
      server_id: wishes.serverId ?? '1',
      referral_id: wishes.inviter ?? null,
    },
  })
  invariant(answer.status === 201, `a test player registers: ${JSON.stringify(answer.body)}`)
  const token = (answer.body as { access_token: string }).access_token
  const user = await test.call('POST', '/api/auth/verify', { body: { access_token: token }, from: address })
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

export async function activatePlayer(test: Portal, player: TestPlayer): Promise<void> {
  const settings = await test.call('GET', '/api/settings')
  await creditPlayer(test, player, Number((settings.body as Record<string, string>).active_fee))
  const answer = await test.call('POST', '/api/user/active', { token: player.token })
  invariant(answer.status === 200, `a test player activates: ${JSON.stringify(answer.body)}`)
}

/** A random address of a private network, unlikely to be used twice in a run. */
export function anAddress(): string {
  return `10.${randomInt(256)}.${randomInt(256)}.${1 + randomInt(254)}`
}

/** What an authenticator app shows `stepsAhead` of now. */
export function appCode(secret: string, stepsAhead = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + stepsAhead * 30_000,
  })
}

/** Turns the second factor on as a player does; `code` is the one it took. */
export async function turnOnSecondFactor(
  test: Pick<TestApp, 'call'>,
  token: string,
): Promise<{ secret: string; code: string; recoveryCodes: string[] }> {
  const started = await test.call('POST', '/api/user/second-factor', { token })
  invariant(started.status === 200, `a set-up starts: ${JSON.stringify(started.body)}`)
  const { secret } = started.body as { secret: string }
  const code = appCode(secret)
  const confirmed = await test.call('POST', '/api/user/second-factor/confirm', { token, body: { code } })
  invariant(confirmed.status === 200, `a set-up is confirmed: ${JSON.stringify(confirmed.body)}`)
  const { recovery_codes: recoveryCodes } = confirmed.body as { recovery_codes: string[] }
  return { secret, code, recoveryCodes }
}

/** A player's request to be erased, as the profile sends it. */
export const requestDeletion = (
  { call }: Pick<Portal, 'call'>,
  { token, password }: Pick<TestPlayer, 'token' | 'password'>,
  body: object = {},
) =>
  call('POST', '/api/user/deletion-request', {
    token,
    body: { current_password: password, given_up: 0, ...body },
  })

/** A request that waits for an operator; answers its id. */
export async function aDeletion(
  portal: Portal,
  player?: Pick<TestPlayer, 'token' | 'password'>,
): Promise<string> {
  const answer = await requestDeletion(portal, player ?? (await aPlayer(portal)))
  invariant(answer.status === 201, `a request is stored: ${JSON.stringify(answer.body)}`)
  return (answer.body as { id: string }).id
}

export const send = (portal: TestApp, from: TestPlayer, body: Record<string, unknown>, key?: string) =>
  portal.call('POST', '/api/user/transfer', { token: from.token, body, key })

export const activate = (portal: TestApp, player: TestPlayer, key?: string) =>
  portal.call('POST', '/api/user/active', { token: player.token, key })

/** The current user, as the player's own pages see them. */
async function userOf(portal: TestApp, { token, address }: TestPlayer) {
  const answer = await portal.call('POST', '/api/auth/verify', {
    body: { access_token: token },
    from: address,
  })
  return answer.body as { balance: number; activated: boolean }
}

export async function balances(portal: TestApp, ...players: TestPlayer[]): Promise<number[]> {
  return (await Promise.all(players.map((player) => userOf(portal, player)))).map((user) => user.balance)
}

export async function isActivated(portal: TestApp, player: TestPlayer): Promise<boolean> {
  return (await userOf(portal, player)).activated
}

export async function ban(portal: TestApp, player: TestPlayer, reason: string | null = null): Promise<void> {
  await portal.db
    .updateTable('users')
    .set({ ban_until: new Date(Date.now() + 3_600_000), ban_reason: reason })
    .where('id', '=', player.id)
    .execute()
}

/** Activated players at once, without registering: the tokens of their sessions. */
export async function manyPlayers(test: Pick<TestApp, 'ownerUrl'>, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'))
  await asOwner(
    test,
    `WITH hashes AS (
       SELECT hash, nextval(pg_get_serial_sequence('users', 'id')) AS id FROM unnest($1::bytea[]) AS hash),
     players AS (
       INSERT INTO users (id, username, password_hash, server_id, wallet_account_id)
         SELECT id, 'trongnhom' || id, '-', '1', ledger_open_account('user_wallet', id) FROM hashes RETURNING id),
     active AS (INSERT INTO activation (user_id, fee) SELECT id, 0 FROM players)
     INSERT INTO sessions (user_id, token_hash, expires_at, user_agent, place)
       SELECT id, hash, now() + interval '1 day', '', 'VN' FROM hashes JOIN players USING (id)`,
    [tokens.map((token) => createHash('sha256').update(token).digest())],
  )
  return tokens
}
