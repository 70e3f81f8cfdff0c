import type { getContactHints } from '#contract/accounts/one-time-codes.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { phone as phoneSchema, requiredEmail } from '#contract/fields.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { type ContactHint, insertContactHints, selectContactHint } from './contact-hints.queries.ts'

/** What games write where a player has given nothing. */
const isNothing = (text: string) => /^(0*|null|none|-)$/i.test(text.trim())

/** Spreadsheets and columns of numbers lose the zero that a number begins with. */
const withZero = (text: string) => text.trim().replace(/^(?=[35789]\d{8}$)/, '0')

/** A game's phone and address in the portal's form, each null where there is none, and how many of them cannot be one. */
export function readContactHint(given: { phone: string; email: string }): {
  hint: ContactHint
  unreadable: number
} {
  const phone = phoneSchema.safeParse(withZero(given.phone)).data ?? null
  const email = requiredEmail.safeParse(given.email).data ?? null
  const unreadable =
    Number(phone === null && !isNothing(given.phone)) + Number(email === null && !isNothing(given.email))
  return { hint: { phone, email }, unreadable }
}

/** Nothing else than `contactHintsOf` reads them. */
export async function storeContactHints(
  tx: Tx,
  hints: readonly (ContactHint & { userId: string })[],
): Promise<void> {
  const some = hints.filter(({ phone, email }) => phone !== null || email !== null)
  if (some.length > 0) await insertContactHints(tx, some)
}

/** For the player alone, to fill in forms with: the phone as it is dialled at home. */
export async function contactHintsOf(db: Db, userId: string): Promise<AnswerOf<typeof getContactHints>> {
  const { phone = null, email = null } = (await selectContactHint(db, userId)) ?? {}
  return { phone: phone?.replace(/^84/, '0') ?? null, email }
}
