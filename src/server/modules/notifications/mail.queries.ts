import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'

export async function insertMail(
  db: Db | Tx,
  { kind, sealed }: { kind: string; sealed: Buffer },
): Promise<void> {
  await db.insertInto('mail_outbox').values({ kind, sealed }).execute()
}
