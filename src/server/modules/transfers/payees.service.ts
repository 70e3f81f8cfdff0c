import { PAYEES_PER_HOUR, type Payee } from '#contract/transfers.ts'
import { maskName, usernameKey } from '#server/modules/accounts/index.ts'
import type { MainCharacter } from '#server/modules/game-bridge/index.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import { assertMayTrade, findTrader, findTraderByUsername } from '#server/modules/traders/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { Refusal, invariant } from '#server/platform/values/errors.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import { payeeIsPayer, payeeNotFound, transferDisabled } from './transfers.errors.ts'
import { charactersOfUser, selectRecentPayees } from './transfers.queries.ts'

type Asked = { payerId: string; payee: string }

/** Names that a player asked for, right or wrong; asking again for one of them costs nothing. */
const PAYEES_ASKED = sharedLimit('payees asked', PAYEES_PER_HOUR, 3_600)

const nameOf = (payee: string) => usernameKey(payee) ?? payee.toLowerCase()

/** Who would receive a transfer, for a player who may make one; it tells no more than the transfer would. */
export async function lookUpPayee(deps: PlatformDeps, { payerId, payee }: Asked): Promise<Payee> {
  const settings = await readSettings(deps.db)
  if (!settings.isTransferEnabled) throw transferDisabled()
  const payer = await findTrader(deps.db, payerId)
  invariant(payer, 'a live session belongs to an account')
  assertMayTrade(payer, deps.clock.now())
  if (nameOf(payee) === usernameKey(payer.username)) throw payeeIsPayer()
  await deps.limits.consumeNew(PAYEES_ASKED, payerId, nameOf(payee))
  const found = await findTraderByUsername(deps.db, payee, { character: charactersOfUser })
  if (!found || found.isErased) throw payeeNotFound()
  return shown(found)
}

/** The players whom this one paid last; they cost no look-up. */
export async function recentPayees(deps: PlatformDeps, userId: string): Promise<Payee[]> {
  return (await selectRecentPayees(deps.db, userId)).map((row) =>
    shown({ ...row, isActivated: Boolean(row.isActivated) }),
  )
}

type Found = { username: string; isActivated: boolean; character: MainCharacter | null }

const shown = ({ username, isActivated, character }: Found): Payee => ({
  username,
  activated: isActivated,
  character: character && { name: maskName(character.name), head: character.head },
})

/**
 * A transfer that is refused says whether there is such a player, so the name counts as one that was looked up. Whoever
 * has asked for as many as an hour allows makes transfers only to players asked for in it, and to recent payees.
 */
export async function countingNames<Answer>(
  deps: PlatformDeps,
  { payerId, payee }: Asked,
  transfer: (asking: { overLimit: Refusal | null; told: () => void }) => Promise<Answer>,
): Promise<Answer> {
  const count = () => deps.limits.consumeNew(PAYEES_ASKED, payerId, nameOf(payee))
  const isUsedUp = (await deps.limits.counted(PAYEES_ASKED, payerId)) >= PAYEES_ASKED.points
  const isKnown = isUsedUp && (await isRecent(deps, { payerId, payee }))
  let isTold = false
  try {
    return await transfer({
      overLimit: isUsedUp && !isKnown ? await refusalOf(count()) : null,
      told: () => (isTold = true),
    })
  } catch (error) {
    if (error instanceof Refusal && isTold && !isKnown) await count()
    throw error
  }
}

async function isRecent(deps: PlatformDeps, { payerId, payee }: Asked): Promise<boolean> {
  const recent = await selectRecentPayees(deps.db, payerId)
  return recent.some(({ username }) => usernameKey(username) === nameOf(payee))
}

async function refusalOf(counting: Promise<void>): Promise<Refusal | null> {
  try {
    await counting
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
