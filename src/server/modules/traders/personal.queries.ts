import { sql } from 'kysely'
import { eraseNothing, onOnePage, type PersonalPart } from '#server/domain/personal-part.ts'
import { findTrader } from './traders.queries.ts'

/** Which account was activated when stays with the ledger. */
export const personalTrade: PersonalPart = {
  lists: {
    activation: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT fee, activated_at FROM activation WHERE user_id = ${id}::bigint`.execute(db)
      return rows
    }),
  },
  erase: eraseNothing,
  open: {
    balance: async (tx, { id }) => (await findTrader(tx, id))?.balance ?? 0,
    debt: async (tx, { id }) => (await findTrader(tx, id))?.debt ?? 0,
  },
}
