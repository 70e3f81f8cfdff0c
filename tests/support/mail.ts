import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { type CodeTarget, makeCode } from '#server/modules/otp/index.ts'
import { tryCode } from '#server/modules/otp/codes.service.ts'
import { answerRequests } from '#server/modules/passwords/link-requests.service.ts'
import { type MailDeps, claimMail, sendClaimedMail } from '#server/modules/mail/sending.service.ts'
import type { Mail } from '#server/modules/mail/index.ts'
import type { TestApp } from './app.ts'
import type { MailServer } from './mail-server.ts'
import type { TestPlayer } from './players.ts'

export const anEmail = () => `nguoichoi${randomInt(1_000_000_000)}@thu.test`

/** Unused numbers: registered test players have others. */
export const aPhone = () => `8438${String(randomInt(10_000_000)).padStart(7, '0')}`

/** Another address for each caller, since limits are counted per address. */
export const fromAnywhere = () => ({
  'x-forwarded-for': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`,
})

/** Runs the worker's jobs: requests for links are processed and mail is sent. */
export async function deliverMail(test: TestApp): Promise<void> {
  while (await answerRequests(test.deps));
  await sendMailOnce(test.deps)
}

/** Requests a link and returns its token; null when no mail was sent. */
export async function linkFor(
  test: TestApp,
  server: MailServer,
  account: { username: string; email: string },
): Promise<string | null> {
  const before = server.to(account.email).length
  await test.call('POST', '/api/password/request', { body: account, headers: fromAnywhere() })
  await deliverMail(test)
  const letter = server.to(account.email)[before]
  return letter === undefined ? null : tokenIn(letter.text ?? '')
}

export const tokenIn = (text: string) => /\/password\/([A-Za-z0-9_-]+)/.exec(text)?.[1] ?? null
export const codeIn = (text: string) => /Mã OTP: (\d{6})/.exec(text)?.[1] ?? ''

/** Has a code mailed to an address, as a player requests it on the site. */
export async function mailedCode(
  test: TestApp,
  server: MailServer,
  { player, email }: { player: Pick<TestPlayer, 'token'>; email: string },
): Promise<string> {
  const answer = await test.call('POST', '/api/email/send-otp', { token: player.token, body: { email } })
  if (answer.status !== 200) throw new Error(`no code was sent: ${JSON.stringify(answer.body)}`)
  await deliverMail(test)
  return codeIn(server.to(email).at(-1)?.text ?? '')
}

/** A code the holder of a phone has got by SMS and verified. */
export async function verifiedCode(test: TestApp, phone: string): Promise<string> {
  const { vault } = test.deps
  const target: CodeTarget = { channel: 'phone', phone }
  const code = await makeCode(vault, test.db, target)
  const verification = { target: { channel: 'phone', phone }, code, use: 'verify', dayTriesMax: 20 } as const
  if ((await tryCode(vault, test.db, verification)) !== 'right') throw new Error('the code was not verified')
  return code
}

/** Gives a player an address that is proved, through the calls of the site. */
export async function proveEmail(
  test: TestApp,
  server: MailServer,
  { player, email }: { player: TestPlayer; email: string },
): Promise<void> {
  const code = await mailedCode(test, server, { player, email })
  const answer = await test.call('POST', '/api/email/update', {
    token: player.token,
    body: { newEmail: email, newEmailOtp: code },
  })
  if (answer.status !== 200) throw new Error(`the address was not proved: ${JSON.stringify(answer.body)}`)
}

export async function provePhone(
  test: TestApp,
  { player, phone }: { player: TestPlayer; phone: string },
): Promise<void> {
  const code = await verifiedCode(test, phone)
  const answer = await test.call('POST', '/api/phone/update', {
    token: player.token,
    body: { code, newPhone: phone },
  })
  if (answer.status !== 200) throw new Error(`the phone was not proved: ${JSON.stringify(answer.body)}`)
}

export async function contactsOf(test: TestApp, userId: string) {
  return test.db
    .selectFrom('user_contacts')
    .select(['email', 'phone'])
    .select(sql<boolean>`email_verified_at IS NOT NULL`.as('isEmailVerified'))
    .select(sql<boolean>`phone_verified_at IS NOT NULL`.as('isPhoneVerified'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

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

/** Gives a player an address that is not proved. */
export async function giveEmail(test: TestApp, { id }: Pick<TestPlayer, 'id'>, email: string): Promise<void> {
  await test.db.updateTable('user_contacts').set({ email }).where('user_id', '=', id).execute()
}
