import { appendAudit, erasePersonalOf } from '#server/modules/audit/index.ts'
import { lockTrader } from '#server/modules/traders/index.ts'
import { HOUSE, postTransfer } from '#server/modules/wallet/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/platform/deps.ts'
import type { OpenMatter, Person } from '#server/platform/personal.ts'
import { eraseAnswersNaming } from '#server/platform/stored-answers.ts'
import { getPerson } from './people.service.ts'
import { personalParts } from './registry.ts'

/** How many of each matter have to be ended first; of balance and debt, how many TCoin. */
export type OpenMatters = Partial<Record<OpenMatter, number>>

/** A person cannot be erased yet. */
export class StillOpen extends Error {
  readonly matters: OpenMatters

  constructor(matters: OpenMatters) {
    super('something of this person is still open')
    this.matters = matters
  }
}

type Erasure = {
  username: string
  /** Whether TCoin left in the wallet go to the house's adjustment account; else they are a reason to refuse. */
  withBalance: boolean
}

export type Erased = { alias: string; balanceTaken: number }

/**
 * Erases a person in one transaction: all that names them, their contacts, addresses and devices. Ledger, orders, deliveries
 * and the trail stay, and say `da-xoa-<id>`. Throws StillOpen, and NOT_FOUND for a name that nobody has.
 */
export async function erasePerson(
  { db, vault }: Pick<PlatformDeps, 'db' | 'vault'>,
  { username, withBalance }: Erasure,
): Promise<Erased> {
  return inTransaction(db, async (tx) => {
    const { id, walletId } = await getPerson(tx, username)
    // Nothing moves in or out of the wallet from here on. The person is read again: the lock may have been waited for.
    const { balance } = await lockTrader(tx, id)
    const person = await getPerson(tx, username)
    const matters = await openMattersOf(tx, person)
    if (withBalance) delete matters.balance
    if (Object.keys(matters).length > 0) throw new StillOpen(matters)
    if (balance > 0)
      await postTransfer(tx, {
        kind: 'adjustment',
        debit: walletId,
        credit: HOUSE.adjustment,
        amount: balance,
        source: { type: 'erasure', id },
      })
    for (const part of personalParts) await part.erase(tx, person, { vault })
    await eraseAnswersNaming(tx, { userId: id, names: namesOf(person) })
    await appendAudit(tx, {
      actor: { kind: 'system' },
      action: 'users.erase',
      subject: { type: 'user', id },
      details: { balance_taken: balance },
    })
    await erasePersonalOf(tx, person)
    return { alias: person.alias, balanceTaken: balance }
  })
}

const namesOf = ({ username, email, phone, characters }: Person): string[] =>
  [username, email, phone, ...characters.map(({ name }) => name)].filter((name) => name !== null)

async function openMattersOf(tx: Tx, person: Person): Promise<OpenMatters> {
  const matters: OpenMatters = {}
  for (const { open = {} } of personalParts) {
    for (const [matter, count] of Object.entries(open)) {
      const found = await count(tx, person)
      if (found > 0) matters[matter as OpenMatter] = found
    }
  }
  return matters
}
