import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import { isInTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/values/errors.ts'
import { tracedCall } from '#server/platform/tracing/tracing.ts'
import { isAddress, type MailFault, smtpFault, smtpOptions, type SmtpServer } from './mail.rules.ts'

/** A mail with its layout, ready to be sent. */
export type ComposedMail = {
  /** The number of its row. A mail that is sent twice has the same Message-ID, so that mailboxes can drop the repeat. */
  id: string
  kind: string
  messageId: string
  date: Date
  from: { name: string; address: string }
  to: string
  subject: string
  text: string
  html: string
}

export type Mailer = {
  /** Rejects with MailFailure when the mail was not accepted, as far as can be known. */
  send(mail: ComposedMail): Promise<void>
}

export class MailFailure extends Error {
  readonly fault: MailFault

  constructor(fault: MailFault, cause?: unknown) {
    super(fault.note, { cause })
    this.name = 'MailFailure'
    this.fault = fault
  }
}

/** Time limit of sending one mail, with any slow server. */
export const SEND_MS_MAX = 60_000
/** Newest files that a portal without a mail server leaves: they contain codes and links and are not removed otherwise. */
const FILES_MAX = 500

/** Name and address are separate and never parsed again; no file or address is fetched for the contents. */
const sendOptions = (mail: ComposedMail): SendMailOptions => ({
  messageId: mail.messageId,
  date: mail.date,
  from: mail.from,
  to: { name: '', address: mail.to },
  envelope: { from: mail.from.address, to: [mail.to] },
  subject: mail.subject,
  text: mail.text,
  html: mail.html,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

function assertAddress({ to }: ComposedMail): void {
  if (!isAddress(to)) throw new MailFailure({ isPermanent: true, note: 'the address is none' })
}

/** The library comes with the first mail: few web processes ever send one. */
const library = () => import('nodemailer')

/** Sends over SMTP, to the one server of the configuration, on a fresh connection each time. */
export function openSmtpMailer(server: SmtpServer): Mailer {
  return {
    async send(mail) {
      invariant(!isInTransaction(), 'nothing is sent over the network inside a transaction')
      assertAddress(mail)
      const transport = (await library()).createTransport(smtpOptions(server))
      try {
        await tracedCall(
          {
            name: `SMTP ${server.host}`,
            attributes: { 'server.address': server.host, 'server.port': server.port },
          },
          () => transport.sendMail({ ...sendOptions(mail), signal: AbortSignal.timeout(SEND_MS_MAX) }),
        )
      } catch (error) {
        throw new MailFailure(smtpFault(error), error)
      }
    },
  }
}

/** Connects and logs in as for a mail, and sends none. Rejects with MailFailure. */
export async function tryMailServer(server: SmtpServer, waitMs: number): Promise<void> {
  const transport = (await library()).createTransport({
    ...smtpOptions(server),
    connectionTimeout: waitMs,
    greetingTimeout: waitMs,
    socketTimeout: waitMs,
    dnsTimeout: waitMs,
  })
  try {
    await transport.verify()
  } catch (error) {
    throw new MailFailure(smtpFault(error), error)
  } finally {
    transport.close()
  }
}

/** Writes each mail to a file that a mail program opens; for demos, and until a mail server is configured. */
export function openFileMailer(folder: string): Mailer {
  return {
    async send(mail) {
      assertAddress(mail)
      const { createTransport } = await library()
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
      const { message } = await transport.sendMail(sendOptions(mail))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // The names sort by time and contain no address.
      const time = mail.date.toISOString().replaceAll(':', '-')
      const file = join(folder, `${time}-${mail.id.padStart(10, '0')}-${mail.kind}.eml`)
      // Written under another name and renamed: readers of the folder never see a partial mail.
      await writeFile(`${file}.draft`, message as Buffer, { mode: 0o600 })
      await rename(`${file}.draft`, file)
      await forgetOldest(folder)
    },
  }
}

async function forgetOldest(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.eml')).sort()
  for (const name of files.slice(0, Math.max(0, files.length - FILES_MAX))) {
    await rm(join(folder, name), { force: true })
  }
}
