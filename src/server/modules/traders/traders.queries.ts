import { type RawBuilder, sql } from 'kysely'
import { onOnePage } from '#server/domain/personal-part.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sendWithNext, type Tx } from '#server/platform/db/transaction.ts'

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
      'wallet.version as walletVersion',
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

export type TraderRow = Awaited<ReturnType<ReturnType<typeof traders>['executeTakeFirstOrThrow']>>

/** What else a trade needs, each a value that the same statement reads. */
export type Facts = Readonly<Record<string, RawBuilder<unknown>>>

const named = (facts: Facts = {}) => Object.entries(facts).map(([name, fact]) => fact.as(name))

export async function selectTrader(
  db: Db | Tx,
  userId: string,
  facts?: Facts,
): Promise<TraderRow | undefined> {
  return traders(db).select(named(facts)).where('users.id', '=', userId).executeTakeFirst()
}

export async function selectTraderByKey(
  db: Db | Tx,
  usernameKey: string,
  facts?: Facts,
): Promise<TraderRow | undefined> {
  return traders(db).select(named(facts)).where('users.username_key', '=', usernameKey).executeTakeFirst()
}

/** A trader with the email address they proved. */
export async function selectNotifiedTrader(
  db: Db | Tx,
  userId: string | RawBuilder<string>,
  facts?: Facts,
): Promise<(TraderRow & { email: string | null }) | undefined> {
  return traders(db)
    .select(named(facts))
    .select((eb) =>
      eb
        .selectFrom('user_contacts as contacts')
        .select('contacts.email')
        .whereRef('contacts.user_id', '=', 'users.id')
        .where('contacts.email_verified_at', 'is not', null)
        .as('email'),
    )
    .where('users.id', '=', userId)
    .executeTakeFirst()
}

/** The lock is there with the result of the next statement. */
export async function lockWallet(tx: Tx, userId: string | RawBuilder<string>): Promise<void> {
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

/** Without a fee. */
export async function insertActivations(tx: Tx, userIds: readonly string[]): Promise<void> {
  await tx
    .insertInto('activation')
    .values(userIds.map((userId) => ({ user_id: userId, fee: 0 })))
    .execute()
}

export const exportActivation = onOnePage(
  ({ id }) => sql`SELECT fee, activated_at FROM activation WHERE user_id = ${id}::bigint`,
)
