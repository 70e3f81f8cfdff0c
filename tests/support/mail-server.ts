import { once } from 'node:events'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type ReceivedMail = Email & {
  /** The SMTP envelope, not the headers of the mail. */
  recipients: string[]
  raw: string
}

export type MailServer = {
  port: number
  url: string
  letters: ReceivedMail[]
  /** The answer to the next mails' recipients; null accepts them. */
  refuseRecipients(code: number | null): void
  /** The answer to the next mails' contents; null accepts them. */
  refuseContents(code: number | null): void
  /** The mails to one address so far, in the order of arrival. */
  to(address: string): ReceivedMail[]
  close(): Promise<void>
}

const refusal = (code: number) => Object.assign(new Error('refused by the test'), { responseCode: code })

/** A real SMTP server on loopback, without TLS unless `options` brings it. */
export async function startMailServer(port = 0, options: SMTPServerOptions = {}): Promise<MailServer> {
  const letters: ReceivedMail[] = []
  let recipientsCode: number | null = null
  let contentsCode: number | null = null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    disableReverseLookup: true,
    closeTimeout: 500,
    onRcptTo: (_address, _session, done) => done(recipientsCode === null ? null : refusal(recipientsCode)),
    onData(stream, session, done) {
      const receive = async () => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of stream) chunks.push(chunk as Buffer)
          if (contentsCode !== null) return done(refusal(contentsCode))
          const raw = Buffer.concat(chunks)
          const recipients = session.envelope.rcptTo.map(({ address }) => address)
          letters.push({ ...(await PostalMime.parse(raw)), recipients, raw: raw.toString('utf8') })
          done()
        } catch (error) {
          // The connection was cut in the middle of a mail.
          done(error as Error)
        }
      }
      void receive()
    },
    ...options,
  })
  // A client that does not trust the server's certificate hangs up; that is the test, not a fault.
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const bound = (listening.address() as { port: number }).port
  return {
    port: bound,
    url: `smtp://127.0.0.1:${bound}`,
    letters,
    refuseRecipients: (code) => {
      recipientsCode = code
    },
    refuseContents: (code) => {
      contentsCode = code
    },
    to: (address) => letters.filter(({ recipients }) => recipients.includes(address)),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}

/** The environment of a portal that sends through it. */
export const mailEnvironment = (server: Pick<MailServer, 'url'>) => ({
  SMTP_URL: server.url,
  MAIL_FROM: 'Tinh Hoa Ninja <khong-tra-loi@thn.test>',
})
