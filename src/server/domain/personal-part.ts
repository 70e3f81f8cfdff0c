import type { RawBuilder } from 'kysely'
import type { OpenMatter } from '#contract/accounts/personal-data.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { Vault } from '#server/platform/db/vault.ts'

/** Whose data is read or erased, with everything they can be recognised by. Read before anything of it is erased. */
export type Person = {
  id: string
  username: string
  walletId: string
  email: string | null
  /** Canonical. */
  phone: string | null
  characters: readonly { id: string; serverId: string; name: string }[]
  /** The name of the account once the person is erased. */
  alias: string
}

/** `after` is the cursor of the last row of the page before; null for the first page. */
export type PersonalPage = { after: string | null; limit: number }

/** A page of one list of the export. `cursor` is where the row stands, and is not exported. */
export type PersonalList = (
  db: Db,
  person: Person,
  page: PersonalPage,
) => Promise<readonly ({ cursor: string } & Record<string, unknown>)[]>

/**
 * What one module stores about a person: how it is read for them, how it is erased, and what has to be ended before. Export and
 * erasure go through the same parts, so that neither can leave out what the other one knows.
 */
export type PersonalPart = {
  lists: Record<string, PersonalList>
  erase(tx: Tx, person: Person, deps: { vault: Vault }): Promise<void>
  /** How many of each are open. */
  open?: Partial<Record<OpenMatter, (tx: Tx, person: Person) => Promise<number>>>
}

/** A list read by one statement, which also selects the cursor. */
export const inPages =
  (read: (person: Person, page: PersonalPage) => RawBuilder<unknown>): PersonalList =>
  async (db, person, page) =>
    (await read(person, page).$castTo<Awaited<ReturnType<PersonalList>>[number]>().execute(db)).rows

/** A list that fits on one page. */
export const onOnePage =
  (read: (person: Person) => RawBuilder<unknown>): PersonalList =>
  async (db, person, { after }) => {
    if (after !== null) return []
    const { rows } = await read(person).$castTo<Record<string, unknown>>().execute(db)
    return rows.map((row) => ({ ...row, cursor: 'end' }))
  }

/** Everything but this. */
export const eraseNothing = async (): Promise<void> => {}
