import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { SetupProblem } from '../values/errors.ts'
import { chooseFreePort, writeCredentials, type Credentials } from './credentials.ts'
import type { Place, Tools } from './place.ts'
import {
  findPostmaster,
  launchPostmaster,
  removeDeadSockets,
  removeMisleadingPidFile,
  socketOf,
  type Found,
  type Launch,
} from './postmaster.ts'

const DATABASE = 'portal'
const CONNECT_TIMEOUT_MS = 2_000
// Not accepting yet (57P03), being shut down (57P01), no free connection (53300).
const PASSING_SQLSTATES = ['57P03', '57P01', '53300']
const PASSING_NETWORK_ERRORS = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']
const WRONG_PASSWORD_SQLSTATE = '28P01'

/** By the server's socket, unless it was started without one. */
export function databaseUrl({ port, password }: Credentials, clusterDir: string): string {
  const socket = socketOf(clusterDir, port)
  const host = socket !== null && existsSync(socket) ? encodeURIComponent(clusterDir) : '127.0.0.1'
  return urlAt(host, { port, password }, DATABASE)
}

const urlAt = (host: string, { port, password }: Credentials, database: string) =>
  `postgres://postgres:${encodeURIComponent(password)}@${host}:${port}/${database}`

/** False while the server does not accept connections yet. Throws when it is that of another directory, or not durable. */
export async function isServing(
  credentials: Credentials,
  clusterDir: string,
  durable: boolean,
): Promise<boolean> {
  let server: { data_directory: string; fsync: string } | undefined
  try {
    server = await withClient(credentials, async (client) => {
      const sql = `SELECT current_setting('data_directory') AS data_directory, current_setting('fsync') AS fsync`
      return (await client.query<{ data_directory: string; fsync: string }>(sql)).rows[0]
    })
  } catch (error) {
    if (isPassing(error)) return false
    throw explain(error, clusterDir)
  }
  if (server === undefined || (await realpath(server.data_directory)) !== clusterDir) {
    throw new SetupProblem(
      `at port ${credentials.port} is another PostgreSQL (data in ${server?.data_directory}) than that of ${clusterDir}: stop it`,
    )
  }
  if (durable && server.fsync !== 'on') {
    throw new SetupProblem(
      `the PostgreSQL of ${clusterDir} runs without fsync: stop the program that uses it, then start again`,
    )
  }
  return true
}

export async function ensureDatabase(credentials: Credentials): Promise<void> {
  await withClient(credentials, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  })
}

async function withClient<T>(credentials: Credentials, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: urlAt('127.0.0.1', credentials, 'postgres'),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'cong-ninja embedded postgres',
  })
  // Without a listener a connection that breaks would end the process; its query is rejected anyway.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end()
  }
}

function isPassing(error: unknown): boolean {
  const { code = '', message } = error as { code?: string; message: string }
  if (PASSING_SQLSTATES.includes(code) || PASSING_NETWORK_ERRORS.includes(code)) return true
  // The driver gives these two no code.
  return /timeout expired|Connection terminated/i.test(message)
}

function explain(error: unknown, clusterDir: string): unknown {
  if ((error as { code?: string }).code !== WRONG_PASSWORD_SQLSTATE) return error
  return new SetupProblem(
    `the password in postgres.json does not open the database in ${clusterDir}: ` +
      'restore the postgres.json that belongs to it from a backup',
    { cause: error },
  )
}

type Attempt = { credentials: Credentials; launch: Launch | null; unclearSince: number | null }

const START_TIMEOUT_MS = 60_000
const UNCLEAR_PID_FILE_MS = 2_000
const POLL_MS = 20
const RETRY_MS = 200

// Temporary failures of a start: sessions of a killed server still hold its memory; another start was faster; the port
// was taken since the last run.
const PORT_TAKEN = /could not bind/
const PASSING_ENDS = /pre-existing shared memory block|lock file "postmaster\.pid"|could not bind/

/** Adopts the server that already runs on this data directory, or starts one. Returns the port it really listens on. */
export async function ensureRunning(place: Place, stored: Credentials, tools: Tools): Promise<Credentials> {
  const startedAt = performance.now()
  const attempt: Attempt = { credentials: stored, launch: null, unclearSince: null }
  while (performance.now() - startedAt < START_TIMEOUT_MS) {
    const found = await findPostmaster(place.clusterDir)
    if (found.state !== 'running') await advance(found, place, attempt, tools)
    else if (found.isReady) {
      const credentials = { ...attempt.credentials, port: found.port }
      if (await isServing(credentials, place.clusterDir, tools.durable)) {
        if (credentials.port !== stored.port) await writeCredentials(place.credentialsFile, credentials)
        const how = attempt.launch === null ? 'adopted' : 'started'
        tools.log(`embedded postgres ${how}`, {
          port: credentials.port,
          took_ms: Math.round(performance.now() - startedAt),
        })
        return credentials
      }
    }
    await sleep(POLL_MS)
  }
  throw new SetupProblem(
    `PostgreSQL in ${place.clusterDir} is not ready after ${START_TIMEOUT_MS / 1000} s; it may still be recovering: ` +
      `wait, start again, and look at ${place.clusterDir}/server.log`,
  )
}

/** One step towards a running server, while none runs on this data directory. */
async function advance(found: Found, place: Place, attempt: Attempt, tools: Tools): Promise<void> {
  if (attempt.launch !== null) {
    const end = await attempt.launch.ended()
    if (end === null) return
    if (!PASSING_ENDS.test(end))
      throw new SetupProblem(`PostgreSQL in ${place.clusterDir} does not start: ${end}`)
    if (PORT_TAKEN.test(end)) {
      const port = await chooseFreePort()
      const { port: from } = attempt.credentials
      tools.log('embedded postgres: its port is taken, moving to another', { from, to: port })
      attempt.credentials = { ...attempt.credentials, port }
    }
    attempt.launch = null
    await sleep(RETRY_MS)
    return
  }
  attempt.unclearSince = found.state === 'unclear' ? (attempt.unclearSince ?? performance.now()) : null
  if (attempt.unclearSince !== null && performance.now() - attempt.unclearSince < UNCLEAR_PID_FILE_MS) return
  await removeMisleadingPidFile(place.clusterDir, tools.log)
  await removeDeadSockets(place.clusterDir)
  attempt.launch = await launchPostmaster({
    ...tools,
    clusterDir: place.clusterDir,
    port: attempt.credentials.port,
  })
}
