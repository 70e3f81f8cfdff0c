import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/transaction.ts'
import { onOnePage, type PersonalPart } from '#server/domain/personal-part.ts'
import { openAsked } from './link-requests.service.ts'
import { deleteReset } from './resets.queries.ts'

const PAGE_ROWS = 500

async function selectRequests(tx: Tx, after: string): Promise<{ id: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    SELECT id, sealed FROM password_request WHERE id > ${after}::bigint ORDER BY id LIMIT ${PAGE_ROWS}`.execute(
    tx,
  )
  return rows
}

export const personalPasswords: PersonalPart = {
  lists: {
    password_links: onOnePage(async (db, { id }) => {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT made_at FROM password_reset WHERE user_id = ${id}::bigint`.execute(db)
      return rows
    }),
  },
  /** What was asked for a name is sealed, and looked at within seconds: the few that wait are opened. */
  async erase(tx, { id, username, email }, { vault }) {
    await deleteReset(tx, id)
    for (let page = await selectRequests(tx, '0'); page.length > 0;) {
      for (const request of page) {
        const asked = await openAsked(vault, request.sealed)
        const isTheirs =
          asked.username.toLowerCase() === username.toLowerCase() ||
          asked.email.toLowerCase() === email?.toLowerCase()
        if (isTheirs) await tx.deleteFrom('password_request').where('id', '=', request.id).execute()
      }
      page = await selectRequests(tx, page.at(-1)?.id ?? '0')
    }
  },
}
