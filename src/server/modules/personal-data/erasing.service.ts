import type { OpenMatter } from '#contract/accounts/personal-data.ts'
import { findPerson } from '#server/modules/accounts/index.ts'
import { appendAudit, erasePersonalOf } from '#server/modules/audit/index.ts'
import { listCharactersOf } from '#server/modules/game-bridge/index.ts'
import { lockTrader } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { orNotFound } from '#server/platform/values/errors.ts'
import type { Person } from '#server/domain/personal-part.ts'
import { eraseAnswersNaming } from '#server/platform/idempotency/stored-responses.ts'
import { type OpenMatters, StillOpen } from './deletions.errors.ts'
import { personalParts } from './registry.ts'

type Erasure = {
  username: string
  /** Up to so many TCoin left in the wallet go to the portal's adjustment account; more are a reason to refuse. */
  coinsMax: number
}

type Erased = { alias: string; balanceTaken: number }

/** `withBalance`: whatever is left in the wallet is taken away. */
export async function erasePerson(
  { db, vault }: Pick<PlatformDeps, 'db' | 'vault'>,
  { username, withBalance }: { username: string; withBalance: boolean },
): Promise<Erased> {
  const coinsMax = withBalance ? Number.MAX_SAFE_INTEGER : 0
  return inTransaction(db, (tx) => erasePersonIn(tx, { vault }, { username, coinsMax }))
}

/**
 * Erases a person in one transaction: all that names them, their contacts, addresses and devices. Ledger, orders, deliveries
 * and the trail stay, under the name `da-xoa-<id>`. Throws StillOpen, and NOT_FOUND for a name that nobody has.
 */
export async function erasePersonIn(
  tx: Tx,
  { vault }: Pick<PlatformDeps, 'vault'>,
  { username, coinsMax }: Erasure,
): Promise<Erased> {
  const { id, walletId } = await getPerson(tx, username)
  // Nothing moves in or out of the wallet from here on. The person is read again: the lock may have been waited for.
  const { balance } = await lockTrader(tx, id)
  const person = await getPerson(tx, username)
  const matters = await openMattersOf(tx, person, { coinsMax })
  if (Object.keys(matters).length > 0) throw new StillOpen(matters)
  for (const part of personalParts) await part.erase(tx, person, { vault })
  await eraseAnswersNaming(tx, { userId: id, names: namesOf(person) })
  // Last of all: until the commit others wait for the house's account and the line of the trail.
  if (balance > 0)
    await postTransfer(tx, {
      kind: 'adjustment',
      debit: walletId,
      credit: HOUSE.adjustment,
      amount: balance,
      source: { type: 'erasure', id },
    })
  await appendAudit(tx, {
    actor: { kind: 'system' },
    action: 'users.erase',
    subject: { type: 'user', id },
    details: { balance_taken: balance },
  })
  // Only once the trail says so.
  await erasePersonalOf(tx, person)
  return { alias: person.alias, balanceTaken: balance }
}

const namesOf = ({ username, email, phone, characters }: Person): string[] =>
  [username, email, phone, ...characters.map(({ name }) => name)].filter((name) => name !== null)

/** Throws NOT_FOUND for a name that nobody has, or has any more. */
export async function getPerson(db: Db | Tx, username: string): Promise<Person> {
  const found = orNotFound(await findPerson(db, username))
  return { ...found, characters: await listCharactersOf(db, found.id) }
}

/** What is open; up to `coinsMax` TCoin in the wallet are given up and no matter. Exact under the wallet's lock only. */
export async function openMattersOf(
  tx: Tx,
  person: Person,
  { coinsMax }: { coinsMax: number },
): Promise<OpenMatters> {
  const matters: OpenMatters = {}
  for (const { open = {} } of personalParts) {
    for (const [matter, count] of Object.entries(open)) {
      const found = await count(tx, person)
      if (found > (matter === 'balance' ? coinsMax : 0)) matters[matter as OpenMatter] = found
    }
  }
  return matters
}
