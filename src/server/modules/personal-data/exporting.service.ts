import type { Db } from '#server/platform/db/database.ts'
import type { Person, PersonalList } from '#server/platform/personal.ts'
import { getPerson } from './people.service.ts'
import { personalParts } from './registry.ts'

const PAGE_ROWS = 500

/**
 * Everything a person gave or did, as one JSON object with a list for each kind, in pieces: a page of rows is all that is
 * held in memory, and no connection while the reader is slow. Throws NOT_FOUND before the first piece.
 */
export async function exportPerson(
  { db, now }: { db: Db; now: Date },
  username: string,
): Promise<AsyncIterable<string>> {
  return pieces(db, await getPerson(db, username), now)
}

async function* pieces(db: Db, person: Person, now: Date): AsyncIterable<string> {
  yield `{\n"exported_at": ${JSON.stringify(now)},\n"username": ${JSON.stringify(person.username)}`
  for (const { lists } of personalParts) {
    for (const [name, list] of Object.entries(lists)) {
      yield `,\n${JSON.stringify(name)}: [`
      yield* rowsOf(db, person, list)
      yield ']'
    }
  }
  yield '\n}\n'
}

async function* rowsOf(db: Db, person: Person, list: PersonalList): AsyncIterable<string> {
  let after: string | null = null
  let separator = '\n'
  for (;;) {
    const rows: Awaited<ReturnType<PersonalList>> = await list(db, person, { after, limit: PAGE_ROWS })
    const last = rows.at(-1)
    if (last === undefined) return
    for (const { cursor: _, ...row } of rows) {
      yield separator + JSON.stringify(row)
      separator = ',\n'
    }
    after = last.cursor
  }
}
