import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnection, type Connection } from 'mysql2/promise'
import { installFromDebian } from './debian.ts'
import { leaveOut } from './left-out.ts'
import { freePort } from './network.ts'

type Programs = { server: string; installer: string }

/** Where the system's own lie, which are not on the PATH of every user. */
const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
const START_MS_MAX = 60_000
const STOP_MS_MAX = 10_000

/** The MariaDB of this machine; null without one. */
export function mariadbPrograms(path = process.env.PATH ?? ''): Programs | null {
  const folders = [...path.split(delimiter).filter(Boolean), ...FOLDERS]
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  const [server, installer] = [find('mariadbd'), find('mariadb-install-db')]
  return server === undefined || installer === undefined ? null : { server, installer }
}

/**
 * Whether tests can have a MariaDB: the machine's own, else one that apt-get brings. Where that is not possible the run says in
 * its closing lines which tests were left out.
 */
export async function canHaveMariadb(): Promise<boolean> {
  if (mariadbPrograms() !== null) return true
  try {
    // Without the service that the whole package starts.
    await installFromDebian(['mariadb-server-core'], 'MariaDB')
    if (mariadbPrograms() !== null) return true
    throw new Error('mariadb-server-core has no mariadbd')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await leaveOut(`Left out: the tests of the game adapter, which need MariaDB (${reason}).`)
    return false
  }
}

export type TestMariadb = {
  port: number
  /** A new, empty database and a user with all rights on it. */
  createDatabase(): Promise<TestMariadbDatabase>
  /** As the server's owner, who may make users. */
  asRoot<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** Ends it; `SIGKILL` as a power cut would. The data stay for `start`. */
  end(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its data. */
  close(): Promise<void>
}

export type TestMariadbDatabase = { name: string; url: string; user: string; password: string }

/**
 * A MariaDB of its own, with its data below the temporary folder: it is ended with the run of tests (`inTestRun`), whatever
 * becomes of the test. `settings` are options of the server.
 */
export async function startMariadb(settings: readonly string[] = []): Promise<TestMariadb> {
  const programs = mariadbPrograms()
  if (programs === null) throw new Error('this machine has no MariaDB')
  const folder = await mkdtemp(join(tmpdir(), 'mariadb-'))
  const data = join(folder, 'data')
  const socket = join(folder, 's')
  await mkdir(data)
  const port = await freePort()
  // It refuses to run as root unless told so.
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  const { status, stderr, stdout } = spawnSync(
    programs.installer,
    [
      '--no-defaults',
      `--datadir=${data}`,
      // Its own: a server that starts removes the temporary tables of others from a folder that they share.
      `--tmpdir=${folder}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--innodb-log-file-size=16M',
      ...user,
    ],
    { encoding: 'utf8', cwd: folder },
  )
  if (status !== 0) throw new Error(`mariadb-install-db failed:\n${stdout}${stderr}`)
  const given = [
    '--no-defaults',
    `--datadir=${data}`,
    `--socket=${socket}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--tmpdir=${folder}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--skip-log-bin',
    '--innodb-buffer-pool-size=128M',
    '--innodb-log-file-size=16M',
    '--innodb-flush-log-at-trx-commit=1',
    '--performance-schema=OFF',
    ...user,
    ...settings,
  ]
  const server = new Server(programs.server, given)
  const asRoot: TestMariadb['asRoot'] = async (work) => {
    const connection = await createConnection({ socketPath: socket, user: 'root' })
    try {
      return await work(connection)
    } finally {
      await connection.end()
    }
  }
  const start = () =>
    server.start(() => asRoot(async (connection) => void (await connection.query('SELECT 1'))))
  await start()
  return {
    port,
    asRoot,
    createDatabase: () => asRoot((connection) => createDatabase(connection, port)),
    start,
    end: (signal = 'SIGTERM') => server.end(signal),
    async close() {
      await server.end('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

class Server {
  readonly #program: string
  readonly #given: readonly string[]
  #child: ReturnType<typeof spawn> | null = null
  #output = ''

  constructor(program: string, given: readonly string[]) {
    this.#program = program
    this.#given = given
  }

  async start(isAnswering: () => Promise<void>): Promise<void> {
    const child = spawn(this.#program, [...this.#given], { stdio: ['ignore', 'ignore', 'pipe'] })
    this.#child = child
    child.stderr?.on(
      'data',
      (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-5_000)),
    )
    for (let end = Date.now() + START_MS_MAX; Date.now() < end; await sleep(20)) {
      if (child.exitCode !== null) throw new Error(`MariaDB does not start:\n${this.#output}`)
      const isUp = await isAnswering().then(
        () => true,
        () => false,
      )
      if (isUp) return
    }
    throw new Error(`MariaDB was not there after ${START_MS_MAX} ms:\n${this.#output}`)
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
    await closed
    clearTimeout(late)
  }
}

async function createDatabase(connection: Connection, port: number): Promise<TestMariadbDatabase> {
  const name = `game_${randomBytes(5).toString('hex')}`
  const password = randomBytes(9).toString('hex')
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`)
  await connection.query(`CREATE USER ${name}@'127.0.0.1' IDENTIFIED BY '${password}'`)
  await connection.query(`GRANT ALL ON ${name}.* TO ${name}@'127.0.0.1'`)
  return { name, user: name, password, url: `mysql://${name}:${password}@127.0.0.1:${port}/${name}` }
}
