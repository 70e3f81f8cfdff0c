import type { GameBridge } from '#server/modules/game-bridge/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Loop } from '#server/platform/jobs/loop.ts'
import { startSendingPool } from '#server/platform/jobs/sending-pool.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import {
  claimDueChanges,
  deleteChangeOf,
  makeDueSince,
  markSent,
  postponeChange,
  selectAreKept,
  selectSentUntil,
  updateAreKept,
  upsertChange,
  type ClaimedChange,
} from './account-changes.queries.ts'

type GameAccountsDeps = Pick<PlatformDeps, 'db' | 'log'> & { game: GameBridge }

/**
 * Tells the game about an account that was activated, banned, freed or got another password: to be called in the
 * transaction that changes it. With the embedded game nobody sends it.
 */
export const recordAccountChange = (tx: Tx, userId: string, { isPasswordNew = false } = {}): Promise<void> =>
  upsertChange(tx, { userId, isPasswordNew })

/** Longer than a call to the game may take. */
const LEASE_SECONDS = 30
const DELAY_SECONDS_MAX = 300

/** Sends the accounts that were changed, each until the game has answered 200. */
export function startGameAccountJobs(deps: GameAccountsDeps & Pick<PlatformDeps, 'listener'>): Loop[] {
  if (deps.game.putAccount === undefined) return []
  const pool = startSendingPool(deps, {
    name: 'game accounts',
    channel: 'account_changed',
    pollMs: 1_000,
    parallelMax: 8,
    claim: (room) => claimChanges(deps, room),
    send: (change) => sendChange(deps, change),
    logFailure: (error, { userId }) =>
      deps.log.error({ err: error, userId }, 'a changed account could not be sent to the game'),
  })
  return [pool]
}

/** A game that keeps no accounts is not asked again until `portal doctor` has run. */
async function claimChanges({ db }: GameAccountsDeps, limit: number): Promise<ClaimedChange[]> {
  if ((await selectAreKept(db)) === false) return []
  return claimDueChanges(db, { limit, leaseSeconds: LEASE_SECONDS })
}

async function sendChange({ db, log, game }: GameAccountsDeps, change: ClaimedChange): Promise<void> {
  const { userId, account, version, isActivated, bannedUntil, passwordChangedAt, attempt } = change
  try {
    const outcome = await game.putAccount?.({
      account,
      version: Number(version),
      isActivated,
      bannedUntil,
      passwordChangedAt,
    })
    await updateAreKept(db, outcome === 'stored')
    if (outcome === 'stored') return await markSent(db, change)
    log.warn(
      { event: 'game.no-accounts' },
      'the game keeps no accounts: bans and passwords reach it by logins',
    )
    await postponeChange(db, change, 0)
  } catch (error) {
    await postponeChange(db, change, Math.min(2 ** (attempt - 1), DELAY_SECONDS_MAX))
    log.warn({ err: error, event: 'game.account-not-sent', userId, attempt }, 'an account will be sent again')
  }
}

/** A game that was set back has forgotten what it was told since: bans, activations and passwords are sent again. */
export const resendAccounts = (db: Db | Tx, since: Date): Promise<void> => makeDueSince(db, since)

/** Up to when every change of an account has reached the game. */
export const findAccountsSentUntil = (db: Db): Promise<Date> => selectSentUntil(db)

/**
 * Whether a player of the game has this name already, who alone may have it. A game that keeps accounts and does not
 * answer decides nothing: throws UNAVAILABLE.
 */
export async function isNameInGame({ db, log, game }: GameAccountsDeps, username: string): Promise<boolean> {
  if (game.isAccountKnown === undefined) return false
  const areKept = await selectAreKept(db)
  if (areKept === false) return false
  try {
    const isKnown = await game.isAccountKnown(username.toLowerCase())
    await updateAreKept(db, isKnown !== null)
    return isKnown === true
  } catch (error) {
    log.warn({ err: error, event: 'game.name-not-checked' }, 'the game did not say whether a name is taken')
    if (areKept === null) return false
    throw new Refusal('UNAVAILABLE', {
      message: 'Máy chủ game đang bận nên chưa kiểm tra được tên đăng nhập, vui lòng thử lại sau ít phút',
      retryAfterSeconds: 30,
    })
  }
}

/** Whether the game keeps accounts, asked now; what was waiting for it is sent again. */
export async function askWhetherAccountsAreKept({
  db,
  game,
}: Pick<GameAccountsDeps, 'db' | 'game'>): Promise<boolean> {
  // A hyphen: no account of the portal or the game has this name.
  const isKnown = (await game.isAccountKnown?.('khong-co-ai')) ?? null
  await updateAreKept(db, isKnown !== null)
  return isKnown !== null
}

export const personalGameAccount: PersonalPart = { lists: {}, erase: deleteChangeOf }
