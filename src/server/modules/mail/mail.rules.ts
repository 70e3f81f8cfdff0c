/** The mail server of the configuration. */
export type SmtpServer = {
  host: string
  port: number
  /** TLS from the first byte (smtps); otherwise by STARTTLS. */
  isSecure: boolean
  login: { user: string; pass: string } | null
}

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/**
 * Certificates are checked, always. A server that offers no TLS gets no mail, unless it is this machine: codes and
 * links do not cross a network in clear.
 */
export function smtpOptions({ host, port, isSecure, login }: SmtpServer) {
  return {
    host: host.replace(/^\[|\]$/g, ''),
    port,
    secure: isSecure,
    requireTLS: !isSecure && !isLoopback(host),
    tls: { rejectUnauthorized: true, minVersion: 'TLSv1.2' as const },
    ...(login === null ? {} : { auth: login }),
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    dnsTimeout: 10_000,
  }
}

/** One address and nothing else: no list, no header, no route. */
export const isAddress = (text: string): boolean =>
  text.length <= 254 && /^[^\s@<>,;:"()[\]\\\p{Cc}]+@[^\s@<>,;:"()[\]\\\p{Cc}]+$/u.test(text)

/**
 * What a failed sending means. Only a refusal of this recipient or of this mail is permanent; when the server refuses
 * our login or sender, its operator has to correct that, and the mails wait. Servers quote addresses in their answers,
 * so the note has the codes and no text.
 */
export function smtpFault(error: unknown): MailFault {
  const { code, originalCode, responseCode, command, permanent } = error as {
    code?: unknown
    originalCode?: unknown
    responseCode?: unknown
    command?: unknown
    permanent?: unknown
  }
  const isAboutThisMail = command === 'RCPT TO' || command === 'DATA'
  const codes = [code, originalCode, responseCode, command].filter(
    (part) => typeof part === 'string' || typeof part === 'number',
  )
  return {
    isPermanent: permanent === true && isAboutThisMail,
    note: codes.length === 0 ? 'failed' : codes.join(' '),
  }
}

const FIRST_DELAY_SECONDS = 60
const DOUBLED_SECONDS_MAX = 3_600
/** So many mails are not tried again all at once: each waits by up to so much longer. */
const SPREAD = 0.1
export const DELAY_SECONDS_MAX = DOUBLED_SECONDS_MAX * (1 + SPREAD)
const AGE_SECONDS_MAX = 24 * 3_600

export type MailFault = {
  /** The mail server will never accept this mail. */
  isPermanent: boolean
  /** What happened, without personal data. */
  note: string
}

type AfterFault = { outcome: 'retry'; delaySeconds: number } | { outcome: 'give-up' }

type Tried = { attempt: number; ageSeconds: number; usefulMinutes: number | null }

const ageMax = (usefulMinutes: number | null) =>
  usefulMinutes === null ? AGE_SECONDS_MAX : usefulMinutes * 60

/** Whether a mail's content is no longer valid. */
export const isTooLate = ({ ageSeconds, usefulMinutes }: Omit<Tried, 'attempt'>): boolean =>
  ageSeconds >= ageMax(usefulMinutes)

/**
 * When sending is tried again after a failure: after a minute, then twice as long each time, at most an hour; up to a
 * tenth longer by `chance` (0 to 1), so that many mails are not tried again all at once.
 */
export function afterFault(fault: MailFault, tried: Tried, chance: number): AfterFault {
  if (fault.isPermanent) return { outcome: 'give-up' }
  const delay = Math.min(FIRST_DELAY_SECONDS * 2 ** (tried.attempt - 1), DOUBLED_SECONDS_MAX)
  const delaySeconds = delay * (1 + SPREAD * chance)
  if (tried.ageSeconds + delaySeconds >= ageMax(tried.usefulMinutes)) return { outcome: 'give-up' }
  return { outcome: 'retry', delaySeconds }
}
