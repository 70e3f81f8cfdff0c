import { appendAudit } from '#server/modules/audit/index.ts'
import { GAME_TIMEOUT_MS, type GameBridge } from '#server/modules/game-bridge/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { startSendingPool } from '#server/platform/queues/sending-pool.ts'
import { withTimeout } from '#server/platform/values/clock.ts'
import { messageOf, Refusal } from '#server/platform/values/errors.ts'
import { leaseSecondsFor } from '#server/platform/queues/leases.ts'
import {
  claimDueChanges,
  DELAY_SECONDS_MAX,
  dueChanges,
  confirmAreKept,
  deleteChangeOf,
  deleteUntellableErasures,
  makeDueSince,
  markSent,
  postponeChange,
  replaceAreKept,
  selectAreKept,
  selectSentUntil,
  storeFailure,
  upsertChange,
  upsertErasure,
  type ClaimedChange,
} from './account-changes.queries.ts'
import { claimEach, type DuePart } from '#server/platform/queues/claiming.ts'

type GameAccountsDeps = Pick<PlatformDeps, 'db' | 'log'> & { game: GameBridge }

/**
 * Tells the game about an account that was activated, banned, freed or got another password: to be called in the
 * transaction that changes it. With the embedded game nobody sends it.
 */
export const recordAccountChange = (tx: Tx, userId: string, { isPasswordNew = false } = {}): Promise<void> =>
  upsertChange(tx, { userId, isPasswordNew })

const LEASE_SECONDS = leaseSecondsFor({ calls: 1, timeoutMs: GAME_TIMEOUT_MS })
const MINUTE_MS = 60_000
/** A player who registers waits for it. */
const NAME_WAIT_MS = 5_000
const JOB = 'game accounts'

/** Sends the accounts that were changed, each until the game has stored it, and asks each minute whether it keeps accounts. */
export function startGameAccountJobs(deps: GameAccountsDeps & Pick<PlatformDeps, 'listener'>): Loop[] {
  if (deps.game.putAccount === undefined) return []
  const pool = startSendingPool(deps, {
    job: JOB,
    leaseSeconds: LEASE_SECONDS,
    channel: 'account_changed',
    pollMs: 1_000,
    parallelMax: 8,
    claim: (room) => claimChanges(deps, room),
    send: (change) => sendChange(deps, change),
    idOf: ({ userId }) => userId,
  })
  const question = {
    name: 'whether the game keeps accounts',
    pauseMs: MINUTE_MS,
    async round() {
      const answer = await askWhetherAccountsAreKept(deps)
      await deleteUntellableErasures(deps.db)
      if ('areKept' in answer) return
      deps.log.warn(
        { event: 'game.accounts-unknown', failure: answer.failure },
        'the game does not say whether it keeps accounts: no name can be registered, and changes wait',
      )
    },
  }
  return [pool, ...startLoops(deps.log, [question])]
}

/** A game that says that it keeps no accounts is sent none; it is asked again each minute. */
async function claimChanges(deps: GameAccountsDeps, limit: number): Promise<ClaimedChange[]> {
  if ((await selectAreKept(deps.db)) === false) return []
  const claim = (part: DuePart) => claimDueChanges(deps.db, part, LEASE_SECONDS)
  return claimEach(deps, { job: JOB, leaseSeconds: LEASE_SECONDS, due: dueChanges, claim }, limit)
}

async function sendChange({ db, log, game }: GameAccountsDeps, change: ClaimedChange): Promise<void> {
  const { userId, account, version, isActivated, bannedUntil, passwordChangedAt, attempt } = change
  let outcome
  try {
    outcome = await game.putAccount?.({
      account,
      version: Number(version),
      isActivated,
      bannedUntil,
      passwordChangedAt,
    })
  } catch (error) {
    await postponeChange(db, change, Math.min(2 ** (attempt - 1), DELAY_SECONDS_MAX))
    log.warn({ err: error, event: 'game.account-not-sent', userId, attempt }, 'an account will be sent again')
    return
  }
  await storeAnswer({ db, log }, outcome === 'stored')
  await (outcome === 'stored' ? markSent(db, change) : postponeChange(db, change, 0))
}

/** A game that was set back has forgotten what it was told since: bans, activations and passwords are sent again. */
export const resendAccounts = (db: Db | Tx, since: Date): Promise<void> => makeDueSince(db, since)

/** Up to when every change of an account has reached the game. */
export const findAccountsSentUntil = (db: Db): Promise<Date> => selectSentUntil(db)

/**
 * Whether a player of the game has this name already, who alone may have it. Only an answer of the
 * contract says so: while there is none, known or unknown, throws UNAVAILABLE.
 */
export async function isNameInGame({ db, log, game }: GameAccountsDeps, username: string): Promise<boolean> {
  if (game.isAccountKnown === undefined) return false
  try {
    const isKnown = await withTimeout(NAME_WAIT_MS, game.isAccountKnown(username.toLowerCase()))
    await storeAnswer({ db, log }, isKnown !== null)
    return isKnown === true
  } catch (error) {
    await storeFailure(db, failureOf(error))
    log.warn({ err: error, event: 'game.name-not-checked' }, 'the game did not say whether a name is taken')
    throw new Refusal('UNAVAILABLE', {
      message: 'Máy chủ game đang bận nên chưa kiểm tra được tên đăng nhập, vui lòng thử lại sau ít phút',
      retryAfterSeconds: 30,
    })
  }
}

/**
 * Stores what the game has said by an answer of the contract. Another one than before is written to the trail: from then on
 * names of the game are free, or are not any more.
 */
async function storeAnswer(
  { db, log }: Pick<GameAccountsDeps, 'db' | 'log'>,
  areKept: boolean,
): Promise<void> {
  if (await confirmAreKept(db, areKept)) return
  await inTransaction(db, async (tx) => {
    const before = await replaceAreKept(tx, areKept)
    if (before === areKept || before === null) return
    await appendAudit(tx, {
      actor: { kind: 'system' },
      action: 'game-accounts.change',
      subject: { type: 'game-accounts', id: 'game' },
      details: { before, after: areKept },
    })
  })
  log.warn(
    { event: 'game.accounts-kept', areKept },
    areKept
      ? 'the game says that it keeps accounts'
      : 'the game says that it keeps no accounts: anybody can register its names, and bans reach it by logins alone',
  )
}

const FAILURE_LENGTH_MAX = 200

/** PostgreSQL stores no NUL, and answers may contain anything. */
const failureOf = (error: unknown) => messageOf(error).replaceAll('\u0000', '').slice(0, FAILURE_LENGTH_MAX)

export type AccountsAnswer = { areKept: boolean } | { failure: string }

/** Asks the game now whether it keeps accounts, and stores what comes of it. Never rejects for what the game does. */
export async function askWhetherAccountsAreKept({
  db,
  log,
  game,
}: GameAccountsDeps): Promise<AccountsAnswer> {
  let isKnown: boolean | null
  try {
    // A hyphen: no account of the portal or the game has this name.
    isKnown = (await game.isAccountKnown?.('khong-co-ai')) ?? null
  } catch (error) {
    const failure = failureOf(error)
    await storeFailure(db, failure)
    return { failure }
  }
  await storeAnswer({ db, log }, isKnown !== null)
  return { areKept: isKnown !== null }
}

export const personalGameAccount: PersonalPart = {
  lists: {},
  /** The game, which may still let the player in by what it keeps, is told of it, and then nothing is left. */
  async erase(tx, person) {
    if (!(await upsertErasure(tx, person))) await deleteChangeOf(tx, person)
  },
}
