import { canonicalPhone } from '#contract/fields.ts'
import type { Hit } from '#contract/operator/search.ts'
import { findOrderCodes } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { selectHits } from './search.queries.ts'
import { deliveriesBeginning } from './search.rules.ts'

/** Whatever an operator types or pastes into the one search box. */
export async function search(db: Db, q: string, permissions: readonly string[]): Promise<Hit[]> {
  const wanted = {
    name: q,
    phone: canonicalPhone(q),
    email: q,
    // A memo as the bank shows it, with the code somewhere in it.
    codes: findOrderCodes(q),
    reference: q,
    deliveries: deliveriesBeginning(q),
  }
  return selectHits(db, wanted, permissions)
}
