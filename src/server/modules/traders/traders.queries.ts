import type { RawBuilder } from 'kysely'
import { usernameKey } from '#server/modules/accounts/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { parseCoins } from '#server/domain/coins.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'

/** A player as a trade sees them. `balance` is only to be trusted from a lock. */
export type Trader = {
  id: string
  username: string
  serverId: string
  walletId: string
  balance: number
  /** TCoin they owe since a recharge was taken back; as trustworthy as the balance. */
  debt: number
  isActivated: boolean
  banUntil: Date | null
  banReason: string | null
  /** Their person was erased: nobody can use the wallet any more. */
  isErased: boolean
}

/** What a player may lack is looked up, not joined: PostgreSQL plans that in half of the time, at every trade. */
const traders = (db: Db | Tx) =>
  db
    .selectFrom('users')
    .innerJoin('ledger_account as wallet', 'wallet.id', 'users.wallet_account_id')
    .select([
      'users.id',
      'users.username',
      'users.server_id as serverId',
      'users.wallet_account_id as walletId',
      'wallet.balance',
      'users.ban_until as banUntil',
      'users.ban_reason as banReason',
      'users.erased_at as erasedAt',
    ])
    .select((eb) => [
      eb
        .selectFrom('ledger_account as receivable')
        .select('receivable.balance')
        .whereRef('receivable.user_id', '=', 'users.id')
        .where('receivable.kind', '=', 'receivable')
        .as('owed'),
      eb
        .selectFrom('activation')
        .select('activation.activated_at')
        .whereRef('activation.user_id', '=', 'users.id')
        .as('activatedAt'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof traders>['executeTakeFirstOrThrow']>>

/** What else a trade has to know, each a value that the same statement reads. */
export type Asked = Readonly<Record<string, RawBuilder<unknown>>>
type NoFacts = Record<never, never>
export type Known<Facts extends Asked> = {
  [Name in keyof Facts]: Facts[Name] extends RawBuilder<infer Value> ? Value : never
}

const named = (facts: Asked = {}) => Object.entries(facts).map(([name, fact]) => fact.as(name))

const toTrader = ({ owed, activatedAt, erasedAt, ...row }: Row): Trader => ({
  ...row,
  balance: parseCoins(row.balance),
  debt: owed === null ? 0 : 0 - parseCoins(owed),
  isActivated: activatedAt !== null,
  isErased: erasedAt !== null,
})

export async function findTrader(db: Db | Tx, userId: string): Promise<Trader | undefined> {
  const row = await traders(db).where('users.id', '=', userId).executeTakeFirst()
  return row && toTrader(row)
}

/** A player whose balance is changed by others, and the address for mail about it. */
export type NotifiedTrader = Trader & {
  /** The address they proved; null when there is none. */
  email: string | null
}

export async function findNotifiedTrader<Facts extends Asked = NoFacts>(
  db: Db | Tx,
  userId: string,
  facts?: Facts,
): Promise<(NotifiedTrader & Known<Facts>) | undefined> {
  const row = await notifiedTraders(db, facts).where('users.id', '=', userId).executeTakeFirst()
  return row && (toNotifiedTrader(row) as NotifiedTrader & Known<Facts>)
}

const notifiedTraders = (db: Db | Tx, facts?: Asked) =>
  traders(db)
    .select(named(facts))
    .select((eb) =>
      eb
        .selectFrom('user_contacts as contacts')
        .select('contacts.email')
        .whereRef('contacts.user_id', '=', 'users.id')
        .where('contacts.email_verified_at', 'is not', null)
        .as('email'),
    )

const toNotifiedTrader = (row: Row & { email: string | null }): NotifiedTrader => ({
  ...toTrader(row),
  email: row.email,
})

/**
 * Ignores case, as login and payee do. Usernames are ASCII; anything else names nobody, since Unicode's lower case
 * would turn a look-alike (the Kelvin sign) into a letter of somebody's name.
 */
export async function findTraderByUsername<Facts extends Asked = NoFacts>(
  db: Db | Tx,
  username: string,
  facts?: Facts,
): Promise<(Trader & Known<Facts>) | undefined> {
  const key = usernameKey(username)
  if (key === null) return undefined
  const row = await traders(db).select(named(facts)).where('users.username_key', '=', key).executeTakeFirst()
  return row && (toTrader(row) as Trader & Known<Facts>)
}

/**
 * Locks the wallet and reads its owner. The wallet's row is the lock that makes a player's trades take turns. The read
 * is a statement of its own: one that waited for the lock would answer the balance of now with the activation and the
 * ban of before the wait, since only the locked row is read again.
 */
export async function lockTrader<Facts extends Asked = NoFacts>(
  tx: Tx,
  userId: string,
  facts?: Facts,
): Promise<Trader & Known<Facts>> {
  await lockWallet(tx, userId)
  const row = await traders(tx).select(named(facts)).where('users.id', '=', userId).executeTakeFirstOrThrow()
  return toTrader(row) as Trader & Known<Facts>
}

/** The same for whoever is notified, and for a player whom another row names; undefined when nobody is. */
export async function lockNotifiedTrader<Facts extends Asked = NoFacts>(
  tx: Tx,
  userId: string | RawBuilder<string>,
  facts?: Facts,
): Promise<(NotifiedTrader & Known<Facts>) | undefined> {
  await lockWallet(tx, userId)
  const row = await notifiedTraders(tx, facts).where('users.id', '=', userId).executeTakeFirst()
  return row && (toNotifiedTrader(row) as NotifiedTrader & Known<Facts>)
}

async function lockWallet(tx: Tx, userId: string | RawBuilder<string>): Promise<void> {
  const lock = tx
    .selectFrom('ledger_account')
    .select('id')
    .where('id', '=', (eb) =>
      eb.selectFrom('users').select('wallet_account_id').where('users.id', '=', userId),
    )
    .forNoKeyUpdate()
  await sendWithNext(tx, lock.compile())
}

type ActivationRow = { userId: string; transferId: string | null; fee: number }

export async function insertActivation(tx: Tx, { userId, transferId, fee }: ActivationRow): Promise<void> {
  await tx.insertInto('activation').values({ user_id: userId, transfer_id: transferId, fee }).execute()
}
