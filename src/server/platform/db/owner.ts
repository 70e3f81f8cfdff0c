import type { Client } from 'pg'
import { SetupProblem } from '../values/errors.ts'
import { namesOfHosts } from './hosts.ts'
import { clientOf, NoWritableHost } from './writable-client.ts'

const CONNECT_TIMEOUT_MS = 10_000

/** Runs `work` on one connection of the role of DATABASE_URL, which owns the schema; the portal itself works as another. */
export async function asOwner<Result>(
  ownerUrl: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = await connect(ownerUrl)
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** One connection, or a SetupProblem with the reason why there is none. */
export async function connect(url: string): Promise<Client> {
  const client = new (clientOf(url))({
    connectionString: url,
    application_name: 'cong-ninja start',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // Without a listener a connection that breaks between two statements would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    await client.end().catch(() => {})
    throw explain(url, error)
  }
}

function explain(url: string, error: unknown): unknown {
  if (error instanceof NoWritableHost) {
    const what = 'promote one of them, or correct the hosts in DATABASE_URL'
    return new SetupProblem(`${error.message}: ${what}`, { cause: error })
  }
  const { username, pathname } = new URL(url)
  const role = `the role "${decodeURIComponent(username)}"`
  const server = `PostgreSQL at ${namesOfHosts(url)}`
  const database = decodeURIComponent(pathname.slice(1))
  const { code = '', message } = error as { code?: string; message: string }
  const texts: Record<string, string> = {
    '28P01': `${server} does not accept the password of ${role}: correct it in DATABASE_URL`,
    '28000': `${server} does not let ${role} in: create the role with LOGIN, or allow it in pg_hba.conf`,
    '3D000': `${server} has no database "${database}": run CREATE DATABASE "${database}" OWNER "${decodeURIComponent(username)}" there`,
    '53300': `${server} has no free connection: raise its max_connections or end programs that hold them`,
    '57P03': `${server} is starting or stopping: start the portal again when it accepts connections`,
  }
  const patterns: [RegExp, string][] = [
    [
      /SELF_SIGNED|UNABLE_TO_|CERT_/,
      `the certificate of ${server} is not trusted here: name the file of its authority in DATABASE_URL (sslrootcert=…)`,
    ],
    [
      /does not support SSL/,
      `${server} does not speak TLS: turn its setting ssl on, or leave sslmode out of DATABASE_URL`,
    ],
    [
      /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EHOST|ENETUNREACH|ENOENT|EPIPE)|timeout|terminated/i,
      `${server} does not answer: start it, or correct host and port in DATABASE_URL`,
    ],
  ]
  const text = texts[code] ?? patterns.find(([pattern]) => pattern.test(code) || pattern.test(message))?.[1]
  return text === undefined ? error : new SetupProblem(`${text} (${message})`, { cause: error })
}
