import { sql } from 'kysely'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'

/** The ledger holds ids and amounts. It stays, and names nobody once the account is erased. */
export const personalLedger: PersonalPart = {
  lists: {
    async ledger_entries(db, { walletId }, { after, limit }) {
      const { rows } = await sql<{ cursor: string }>`
        SELECT account_version::text AS cursor, transfer_id::text AS transfer, kind, amount, balance_before, balance_after,
               created_at
          FROM ledger_entry
         WHERE account_id = ${walletId}::bigint AND account_version > coalesce(${after}::bigint, 0)
         ORDER BY account_version LIMIT ${limit}`.execute(db)
      return rows
    },
  },
  erase: eraseNothing,
}
