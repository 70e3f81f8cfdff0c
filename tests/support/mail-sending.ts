import { sql } from 'kysely'
import { claimMail, sendClaimedMail, type MailDeps } from '#server/modules/mail/sending.service.ts'
import type { TestApp } from './app.ts'

/** One round of the sender: everything that is due now, once. Returns the number of mails. */
export async function sendMailOnce(deps: MailDeps): Promise<number> {
  const claimed = await claimMail(deps, 100)
  for (const one of claimed) await sendClaimedMail(deps, one)
  return claimed.length
}

/** Makes mails that wait for a retry due now. */
export async function ageMail(test: TestApp, minutes: number): Promise<void> {
  await test.db
    .updateTable('mail_outbox')
    .set({
      created_at: sql`created_at - make_interval(mins => ${minutes}::integer)`,
      next_attempt_at: sql`now()`,
    })
    .execute()
}

export async function waitingMail(test: TestApp) {
  return test.db
    .selectFrom('mail_outbox')
    .select(['id', 'kind', 'attempt', 'last_error', 'sealed'])
    .select(sql<number>`extract(epoch FROM next_attempt_at - now())::float8`.as('dueInSeconds'))
    .orderBy('id')
    .execute()
}
