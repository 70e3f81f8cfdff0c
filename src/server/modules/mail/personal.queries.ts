import { sql } from 'kysely'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { PersonalPart } from '#server/domain/personal-part.ts'
import { type Mail, SEAL_PURPOSE } from './mail.service.ts'

const PAGE_ROWS = 500

async function selectSealed(tx: Tx, after: string): Promise<{ id: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ id: string; sealed: Buffer }>`
    SELECT id, sealed FROM mail_outbox WHERE id > ${after}::bigint ORDER BY id LIMIT ${PAGE_ROWS}`.execute(tx)
  return rows
}

/** Mail that waits is sealed and names its receiver inside: every one is opened. The outbox is as short as its delay. */
export const personalMail: PersonalPart = {
  lists: {},
  async erase(tx, { username, email }, { vault }) {
    for (let page = await selectSealed(tx, '0'); page.length > 0;) {
      for (const { id, sealed } of page) {
        const mail = JSON.parse(await vault.open(SEAL_PURPOSE, sealed)) as Mail
        if (mail.to === email || mail.username === username)
          await tx.deleteFrom('mail_outbox').where('id', '=', id).execute()
      }
      page = await selectSealed(tx, page.at(-1)?.id ?? '0')
    }
  },
}
