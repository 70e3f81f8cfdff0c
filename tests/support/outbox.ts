import type { Mail } from '#server/modules/mail/index.ts'
import type { TestApp } from './app.ts'

/** The queued mails to one address, the oldest first. */
export async function lettersTo(test: TestApp, email: string): Promise<Mail[]> {
  const rows = await test.db.selectFrom('mail_outbox').select('sealed').orderBy('id').execute()
  const letters = await Promise.all(
    rows.map(async ({ sealed }) => JSON.parse(await test.deps.vault.open('mail', sealed)) as Mail),
  )
  return letters.filter(({ to }) => to === email)
}

/** Gives a player an address as one that was proved. */
export async function giveVerifiedEmail(test: TestApp, userId: string, email: string): Promise<void> {
  await test.db
    .updateTable('user_contacts')
    .set({ email, email_verified_at: new Date() })
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
}
