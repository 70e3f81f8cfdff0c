import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Day } from '../daily-close.rules.ts'

type Given = { accountNumber: string; givenBy: string } & ({ sha256: string } | { picture: Buffer })

export async function insertGivenStatement(
  tx: Tx,
  { accountNumber, givenBy, ...proof }: Given,
): Promise<string> {
  const { id } = await tx
    .insertInto('given_statement')
    .values({ account_number: accountNumber, given_by: givenBy, ...proof })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The newest picture behind the figures of a close's account and day. */
export async function findProof(db: Db, closeId: string): Promise<Buffer | null | undefined> {
  const row = await db
    .selectFrom('daily_close as close')
    .innerJoin('bank_statement_day as statement', (join) =>
      join
        .onRef('statement.account_number', '=', 'close.account_number')
        .onRef('statement.day', '=', 'close.day'),
    )
    .innerJoin('given_statement as given', 'given.id', 'statement.given_id')
    .select('given.picture')
    .where('close.id', '=', closeId)
    .where('statement.provider', '=', 'hand')
    .executeTakeFirst()
  return row?.picture
}

/** What is known here of an account's days, to show beside those of a file. */
export async function selectKnownDays(
  db: Db,
  { accountNumber, first, last }: { accountNumber: string; first: Day; last: Day },
) {
  return db
    .selectFrom('daily_close')
    .select(['arrived_count', 'arrived_vnd', 'left_vnd', sql<Day>`to_char(day, 'YYYY-MM-DD')`.as('text')])
    .where('account_number', '=', accountNumber)
    .where('is_latest', '=', true)
    .where('day', '>=', sql<Date>`${first}::date`)
    .where('day', '<=', sql<Date>`${last}::date`)
    .execute()
}
