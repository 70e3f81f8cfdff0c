import { canonicalPhone } from '#contract/fields.ts'
import type { Hit } from '#contract/operator/users.ts'
import { findOrderCodes } from '#server/modules/recharge/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { selectHits } from './search.queries.ts'

/** Whatever an operator types or pastes into the one search box. */
export async function search(db: Db, q: string, permissions: readonly string[]): Promise<Hit[]> {
  const searched = {
    name: q,
    phone: canonicalPhone(q),
    email: q,
    // A memo as the bank shows it, with the code somewhere in it.
    codes: findOrderCodes(q),
    reference: q,
    deliveries: deliveriesBeginning(q),
  }
  return selectHits(db, searched, permissions)
}

const ID_CHARS = 32
/** Fewer are as likely the beginning of a username. */
const CHARS_MIN = 8

/** The first and the last id that begin with this text; null where no id does. */
export function deliveriesBeginning(text: string): readonly [string, string] | null {
  const plain = text.toLowerCase().replaceAll(/[\s-]/g, '')
  if (!/^[0-9a-f]+$/.test(plain) || plain.length < CHARS_MIN || plain.length > ID_CHARS) return null
  return [plain.padEnd(ID_CHARS, '0'), plain.padEnd(ID_CHARS, 'f')]
}
