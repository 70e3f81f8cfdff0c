import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { withTimeout } from '#server/platform/values/clock.ts'

/** Where a server speaks TLS: from the first byte, or after a question in the language of its protocol. */
export type TlsPlace = {
  host: string
  port: number
  asks: 'nothing' | 'postgres' | 'smtp'
  /** The file of the authority that signed it, where that is none of the usual ones. */
  authority?: string
}

export type Certificate = {
  endsAt: Date
  /** Why a client refuses it, as OpenSSL or Node calls it; null for one that it accepts. Its end is judged by `endsAt`. */
  refusal: string | null
}

const WAIT_MS = 5_000
/** The request for TLS of PostgreSQL's protocol: its length and its number. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const SMTP_LINES = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n$/

/**
 * The certificate that a server shows; nothing of the portal is sent to it. Rejects when the server cannot be reached or
 * speaks no TLS.
 */
export async function readCertificate(place: TlsPlace): Promise<Certificate> {
  const socket = connect({ host: place.host, port: place.port })
  try {
    return await withTimeout(WAIT_MS, read(socket, place))
  } finally {
    socket.destroy()
  }
}

async function read(socket: Socket, { host, asks, authority }: TlsPlace): Promise<Certificate> {
  await once(socket, 'connect')
  if (asks === 'postgres') await askPostgres(socket)
  if (asks === 'smtp') await askMailServer(socket)
  const secure = connectTls({
    socket,
    ...(isIP(host) ? { host } : { servername: host }),
    // It is looked at whatever it is.
    rejectUnauthorized: false,
    ...(authority === undefined ? {} : { ca: await readFile(authority, 'utf8') }),
  })
  // A socket that is destroyed while it waits must not end the process.
  secure.on('error', () => {})
  await once(secure, 'secureConnect')
  const endsAt = new Date(secure.getPeerCertificate().valid_to)
  return { endsAt, refusal: refusalOf(secure) }
}

function refusalOf(secure: TLSSocket): string | null {
  const { authorizationError: error } = secure as { authorizationError?: Error | string }
  if (secure.authorized || error === undefined) return null
  const refusal = typeof error === 'string' ? error : ((error as NodeJS.ErrnoException).code ?? error.message)
  return refusal === 'CERT_HAS_EXPIRED' ? null : refusal
}

async function askPostgres(socket: Socket): Promise<void> {
  socket.write(SSL_REQUEST)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  if (answer.toString() !== 'S') throw new Error('it speaks no TLS')
}

async function askMailServer(socket: Socket): Promise<void> {
  for (const words of [null, 'EHLO portal.invalid', 'STARTTLS']) {
    if (words !== null) socket.write(`${words}\r\n`)
    let text = ''
    while (!SMTP_LINES.test(text)) text += String(((await once(socket, 'data')) as [Buffer])[0])
    if (!text.startsWith('2')) throw new Error('it speaks no TLS')
  }
}
