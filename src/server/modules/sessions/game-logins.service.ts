import * as z from 'zod/mini'
import { typedUsername } from '#contract/fields.ts'
import { BAN_FOREVER } from '#contract/users.ts'
import { findGameAccount, type GameAccount } from '#server/modules/accounts/index.ts'
import { count } from '#server/domain/metrics.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Log } from '#server/platform/log/log.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { newToken } from '#server/platform/values/crypto.ts'
import { withinLoginLimits } from './login-throttle.service.ts'
import type { Caller } from './caller.ts'
import { rememberAddress } from './sign-ins.service.ts'
import { provePassword, renewHash, type KnownCaller } from './sessions.service.ts'
import { VerifiedPasswords } from './verified-passwords.ts'

const text = (max: number) => z.string().check(z.minLength(1), z.maxLength(max))

const QUOTES =
  /^[\s"'`\u00ab\u00bb\u2018-\u201f\u2039\u203a]+|[\s"'`\u00ab\u00bb\u2018-\u201f\u2039\u203a]+$/g

/** As `deploy/game/PortalGame.java` does it, so that one account has one name in the game: quotes around a name are none of it. */
const typedName = (typed: string): string => typedUsername(typed).replace(QUOTES, '')

export const gameLoginBody = z.object({
  /** For the log: an account is the same on every server. */
  server_id: text(16),
  account: z.string().check(z.overwrite(typedName), z.minLength(1), z.maxLength(64)),
  password: text(128),
  /** The player's, as the game sees it. */
  address: z.union([z.ipv4(), z.ipv6()]),
})

export const gameLoginAnswer = z.object({
  status: z.enum(['ok', 'wrong', 'banned', 'not-activated', 'slow-down']),
  /** The end of a ban; absent for one without an end. */
  until: z.optional(z.string()),
  /** As the portal spells it; there when the password was right. */
  account: z.optional(z.string()),
})

type GameLogin = z.output<typeof gameLoginBody>
type GameLoginAnswer = z.output<typeof gameLoginAnswer>

export type GameLoginDeps = PlatformDeps & { verifiedPasswords: VerifiedPasswords }

/**
 * Whether a player may log in to the game: the password as at a login of the portal, counted for the player's address and
 * account like one, but no session is opened. A password that was right a few minutes ago is not hashed again.
 */
export async function checkGameLogin(
  deps: GameLoginDeps,
  login: GameLogin,
  log: Log,
): Promise<GameLoginAnswer> {
  const answer = await answerTo(deps, login, log)
  count('portal_game_logins_total', { status: answer.status })
  return answer
}

async function answerTo(deps: GameLoginDeps, login: GameLogin, log: Log): Promise<GameLoginAnswer> {
  const caller = { log, address: login.address, userAgent: 'game', deviceToken: newToken().token }
  const account = await findGameAccount(deps.db, login.account)
  if (account !== undefined && deps.verifiedPasswords.has(account, login.password))
    return accepted(deps, account, caller)
  try {
    return await withinLoginLimits(deps, { username: login.account, caller }, (known) =>
      checkPassword(deps, login, { ...caller, ...known }),
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'INVALID_CREDENTIALS') return { status: 'wrong' }
    if (error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE') return { status: 'slow-down' }
    throw error
  }
}

async function checkPassword(
  deps: GameLoginDeps,
  { account: username, password, server_id: serverId }: GameLogin,
  caller: KnownCaller,
): Promise<GameLoginAnswer> {
  const { found, isOutdated } = await provePassword(deps, { username, password }, caller)
  const account = await findGameAccount(deps.db, username)
  // The password was replaced while it was checked.
  if (account?.passwordHash !== found.passwordHash) return { status: 'slow-down' }
  caller.log.info(
    { event: 'game-login.proved', userId: found.id, serverId, address: caller.address },
    'a player proved their password to the game',
  )
  if (isOutdated) await renewHash(deps, found, { password, caller })
  else deps.verifiedPasswords.remember(account, password)
  return accepted(deps, account, caller)
}

/** From here on guesses from elsewhere lock nobody out at this address, as after a login of the portal. */
async function accepted(deps: GameLoginDeps, account: GameAccount, caller: Caller): Promise<GameLoginAnswer> {
  if (account.bannedUntil === null) await rememberAddress(deps, { userId: account.id, caller })
  return stateOf(account)
}

function stateOf({ username: account, bannedUntil, isActivated }: GameAccount): GameLoginAnswer {
  if (bannedUntil !== null) {
    const until = bannedUntil.toISOString()
    return { status: 'banned', account, ...(until === BAN_FOREVER ? {} : { until }) }
  }
  return { status: isActivated ? 'ok' : 'not-activated', account }
}
