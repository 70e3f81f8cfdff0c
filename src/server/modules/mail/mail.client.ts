import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions } from 'nodemailer'
import { isInTransaction } from '#server/platform/db/transaction.ts'
import { invariant } from '#server/platform/invariant.ts'
import { isAddress, smtpFault, smtpOptions, type SmtpServer } from './mail-transport.rules.ts'
import type { MailFault } from './mail-retry.rules.ts'

/** A letter ready to go. */
export type Letter = {
  /** The number of its row. The same letter sent twice has the same Message-ID, by which mailboxes know it again. */
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
  /** Rejects with MailFailure when the letter was not taken, as far as anybody can know. */
  send(letter: Letter): Promise<void>
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
const SEND_MS_MAX = 60_000
/** How many files a portal without a mail server keeps: they contain codes and links and are not removed otherwise. */
const FILES_MAX = 500

/** Name and address apart and never parsed again, no files or addresses fetched for a letter's contents. */
const composed = (letter: Letter): SendMailOptions => ({
  messageId: letter.messageId,
  date: letter.date,
  from: letter.from,
  to: { name: '', address: letter.to },
  envelope: { from: letter.from.address, to: [letter.to] },
  subject: letter.subject,
  text: letter.text,
  html: letter.html,
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

function assertAddress({ to }: Letter): void {
  if (!isAddress(to)) throw new MailFailure({ isPermanent: true, note: 'the address is none' })
}

/** Sends over SMTP, to the one server of the configuration, on a fresh connection each time. */
export function openSmtpMailer(server: SmtpServer): Mailer {
  const transport = createTransport(smtpOptions(server))
  return {
    async send(letter) {
      invariant(!isInTransaction(), 'nothing is sent over the network inside a transaction')
      assertAddress(letter)
      try {
        await transport.sendMail({ ...composed(letter), signal: AbortSignal.timeout(SEND_MS_MAX) })
      } catch (error) {
        throw new MailFailure(smtpFault(error), error)
      }
    },
  }
}

/** Writes each letter to a file that a mail program opens; for demos, and until a mail server is configured. */
export function openFileMailer(folder: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    async send(letter) {
      assertAddress(letter)
      const { message } = await transport.sendMail(composed(letter))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // The names sort by time and contain no address.
      const time = letter.date.toISOString().replaceAll(':', '-')
      const file = join(folder, `${time}-${letter.id.padStart(10, '0')}-${letter.kind}.eml`)
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
