import { findUsername } from '#server/modules/accounts/index.ts'
import { appendOwnAct } from '#server/modules/audit/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { sharedLimit } from '#server/platform/limits/limits.ts'
import type { Person, PersonalList } from '#server/domain/personal-part.ts'
import { vietnamDay } from '#server/platform/values/vietnam-time.rules.ts'
import { getPerson } from './erasing.service.ts'
import { acceptOwner, type OwnerRequest, checkOwner } from './owner-proof.service.ts'
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

/** Each of them reads everything there is of a player. */
const DOWNLOADS = sharedLimit('personal-data', 5, 86_400)

/** What `portal export` writes, for the player themselves, with its row in the trail. */
export async function exportOwnData(
  deps: PlatformDeps,
  ownerRequest: OwnerRequest,
): Promise<{ name: string; pieces: AsyncIterable<string> }> {
  const { userId } = ownerRequest.identity
  const proof = await checkOwner(deps, ownerRequest)
  await deps.limits.consume(DOWNLOADS, userId)
  const now = deps.clock.now()
  // Before anything is sent, so that who is not there any more is still refused.
  const pieces = await exportPerson({ db: deps.db, now }, await findUsername(deps.db, userId))
  await inTransaction(deps.db, async (tx) => {
    await acceptOwner(tx, userId, proof)
    await appendOwnAct(tx, userId, { action: 'users.export-own-data', requestId: ownerRequest.requestId })
  })
  const { log, address } = ownerRequest.caller
  log.info({ event: 'personal-data.exported', userId, address }, 'a player downloaded their data')
  return { name: `du-lieu-ca-nhan-${vietnamDay(now)}.json`, pieces }
}
