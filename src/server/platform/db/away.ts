/** What is read works on meanwhile. */
const REFUSES_CHANGES = [
  '53100', // disk full
  '25006', // the server became one that is only read from
]
/** Of PostgreSQL as a whole, whatever was asked of it. */
export const AWAY_STATES = [
  '57P01', // the server is going down
  '57P02',
  '57P03', // … or coming up
  '53200', // out of memory
  '53300', // too many connections
  '28000', // the role is not let in
  '28P01', // … not with this password
  '3D000', // the database is not there
  ...REFUSES_CHANGES,
]
const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])
const CONNECTION_MESSAGES =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Cannot use a pool after|Query read timeout)/

export function isConnectionLost(error: unknown): boolean {
  const { code, syscall, message } = (error ?? {}) as { code?: unknown; syscall?: unknown; message?: unknown }
  return (
    // A server that is listened for at a socket is away like a file: ENOENT.
    syscall === 'connect' ||
    (typeof code === 'string' && CONNECTION_CODES.has(code)) ||
    (typeof message === 'string' && CONNECTION_MESSAGES.test(message))
  )
}

/** What is away by a failure of a statement, by the name of the server; null where it is the statement's own. */
export function awayBy(error: unknown, server: string): string | null {
  const { code } = (error ?? {}) as { code?: unknown }
  if (REFUSES_CHANGES.includes(String(code))) return `changes by ${server}`
  return AWAY_STATES.includes(String(code)) || /^08...$/.test(String(code)) || isConnectionLost(error)
    ? server
    : null
}
