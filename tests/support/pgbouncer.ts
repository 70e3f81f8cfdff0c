import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { byTcp, freePort } from './network.ts'

export const isPgbouncerThere = () => spawnSync('pgbouncer', ['--version']).status === 0

/** Who programs run as that refuse to run as root; nobody else than oneself for ordinary users. */
export const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

const PASSWORD = 'the-password-of-pgbouncer'
const START_MS_MAX = 10_000

export type Pgbouncer = {
  port: number
  /** The same database through PgBouncer. */
  url: string
  /** Sends what comes to the server at this port, as its file has it from now on. */
  repoint(port: number): Promise<void>
  /** SIGINT lets transactions end first. */
  end(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
}

export type PgbouncerOptions = {
  folder: string
  /** As who may make roles. */
  adminUrl: string
  /** As the portal's owner, past PgBouncer. */
  directUrl: string
  /** Where something of the project's own file is to be otherwise. */
  change?: (file: string) => string
}

/** PgBouncer with the project's own file; only places are others. */
export async function startPgbouncer({
  folder,
  adminUrl,
  directUrl,
  change = (file) => file,
}: PgbouncerOptions): Promise<Pgbouncer> {
  const sql = await readFile('deploy/postgres/pgbouncer.sql', 'utf8')
  await asRole(adminUrl, sql.replace(`:'password'`, `'${PASSWORD}'`))
  const direct = new URL(directUrl)
  const port = await freePort()
  const place = join(folder, 'pgbouncer')
  await mkdir(place)
  if (UNPRIVILEGED.uid !== undefined) await chown(place, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
  await chmod(folder, 0o755)
  // A superuser is not given away by the question, so the owner of tests is written down.
  const owner = `"${direct.username}" "${decodeURIComponent(direct.password)}"\n`
  await writeFile(join(place, 'userlist.txt'), `"pgbouncer" "${PASSWORD}"\n${owner}`)
  const file = join(place, 'pgbouncer.ini')
  const point = async (to: number) => writeFile(file, change(await fileFor({ direct, place, port, to })))
  await point(Number(direct.port))
  let child: ChildProcess | null = null
  const url = byTcp(directUrl, port)
  const self: Pgbouncer = {
    port,
    url,
    async repoint(to) {
      await point(to)
      child?.kill('SIGHUP')
    },
    async end(signal = 'SIGINT') {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill(signal)
      await closed
    },
    async start() {
      child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...UNPRIVILEGED })
      await untilAccepting(url, child)
    },
  }
  await self.start()
  return self
}

type Placed = { direct: URL; place: string; port: number; to: number }

async function fileFor({ direct, place, port, to }: Placed): Promise<string> {
  const name = direct.pathname.slice(1)
  return (await readFile('deploy/pgbouncer.ini', 'utf8'))
    .replace(/^\* = .*$/m, `${name} = host=127.0.0.1 port=${to} dbname=${name}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${port}`)
    .replace(/^auth_file = .*$/m, `auth_file = ${place}/userlist.txt`)
    .replace(/^(logfile|pidfile) = .*$/gm, (_, key: string) => `${key} = ${place}/${key}`)
}

/** It answers a wrong question itself, whether or not there is a server behind it. */
async function untilAccepting(url: string, child: ChildProcess): Promise<void> {
  const nowhere = Object.assign(new URL(url), { pathname: '/nowhere' }).href
  for (let end = Date.now() + START_MS_MAX; Date.now() < end; await sleep(20)) {
    if (child.exitCode !== null) throw new Error('PgBouncer does not start')
    const problem = await asRole(nowhere, 'SELECT').catch((error: { code?: string }) => error)
    if ((problem as { code?: string }).code !== 'ECONNREFUSED') return
  }
  throw new Error(`PgBouncer was not there after ${START_MS_MAX} ms`)
}

/** One statement, or several, on a connection of their own. */
export async function asRole(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end().catch(() => {})
  }
}
