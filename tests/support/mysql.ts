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

/** Another server than the MariaDB of this machine: the path of a `mysqld`. */
const MYSQL_SERVER = process.env.MYSQL_SERVER ?? ''

/** Where the system's own lie, which are not on the PATH of every user. */
const FOLDERS = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']
const START_MS_MAX = 60_000
const STOP_MS_MAX = 10_000
/** Both refuse to run as root unless told so. */
const USER = process.getuid?.() === 0 ? ['--user=root'] : []

/** A server of game databases, MariaDB or MySQL. */
type Product = {
  server: string
  /** The program that makes the folder of its data, and what it is given. */
  initialise(data: string, folder: string): [program: string, given: readonly string[]]
  options: readonly string[]
}

/** The MariaDB of this machine; null without one. */
function installedMariadb(path = process.env.PATH ?? ''): Product | null {
  const folders = [...path.split(delimiter).filter(Boolean), ...FOLDERS]
  const find = (name: string) => folders.map((folder) => join(folder, name)).find((file) => existsSync(file))
  const [server, installer] = [find('mariadbd'), find('mariadb-install-db')]
  // The second calls `my_print_defaults`, which Debian has in another package.
  if (server === undefined || installer === undefined || find('my_print_defaults') === undefined) return null
  const given = ['--auth-root-authentication-method=normal', '--skip-test-db', '--innodb-log-file-size=16M']
  return {
    server,
    // Its own folder: a server that starts removes the temporary tables of others from one that they share.
    initialise: (data, folder) => [
      installer,
      ['--no-defaults', `--datadir=${data}`, `--tmpdir=${folder}`, ...given, ...USER],
    ],
    options: ['--innodb-log-file-size=16M'],
  }
}

const mysql = (server: string): Product => ({
  server,
  initialise: (data, folder) => [
    server,
    ['--no-defaults', '--initialize-insecure', `--datadir=${data}`, `--tmpdir=${folder}`, ...USER],
  ],
  // Its second protocol would listen at a port of its own; Debian's build wants a folder for files of LOAD DATA.
  options: ['--loose-mysqlx=OFF', '--secure-file-priv=NULL'],
})

const installed = () => (MYSQL_SERVER === '' ? installedMariadb() : mysql(MYSQL_SERVER))

/**
 * Whether tests can have a game database: MYSQL_SERVER, else the machine's own MariaDB, else one that apt-get brings. Where
 * that is not possible the run says in its closing lines which tests were left out.
 */
export async function canHaveMysql(): Promise<boolean> {
  if (installed() !== null) return true
  try {
    // Without the service that the whole package starts.
    const names = ['mariadb-server-core', 'mariadb-client-core']
    await installFromDebian(names, 'MariaDB')
    if (installed() !== null) return true
    throw new Error(`${names.join(' and ')} have no complete MariaDB`)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await leaveOut(`Left out: the tests of the game adapter, which need MariaDB (${reason}).`)
    return false
  }
}

export type TestMysql = {
  port: number
  /** A new, empty database and a user with all rights on it. */
  createDatabase(): Promise<TestMysqlDatabase>
  /** As the server's owner, who may make users. */
  asRoot<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result>
  /** Ends it; `SIGKILL` as a power cut would. The data stay for `start`. */
  end(signal?: NodeJS.Signals): Promise<void>
  start(): Promise<void>
  /** Ends it and removes its data. */
  close(): Promise<void>
}

export type TestMysqlDatabase = { name: string; url: string; user: string; password: string }

/**
 * A server of its own, with its data below the temporary folder: it is ended with the run of tests (`inTestRun`), whatever
 * becomes of the test. `settings` are options of the server.
 */
export async function startMysql(settings: readonly string[] = []): Promise<TestMysql> {
  const programs = installed()
  if (programs === null) throw new Error('this machine has no MariaDB')
  const folder = await mkdtemp(join(tmpdir(), 'mysql-'))
  const data = join(folder, 'data')
  const socket = join(folder, 's')
  await mkdir(data)
  const port = await freePort()
  const [installer, initialising] = programs.initialise(data, folder)
  const made = spawnSync(installer, initialising, { encoding: 'utf8', cwd: folder })
  if (made.error !== undefined) throw made.error
  if (made.status !== 0) throw new Error(`${installer} failed:\n${made.stdout}${made.stderr}`)
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
    '--innodb-flush-log-at-trx-commit=1',
    '--performance-schema=OFF',
    ...programs.options,
    ...USER,
    ...settings,
  ]
  const server = new Server(programs.server, given)
  const asRoot: TestMysql['asRoot'] = async (work) => {
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
      if (child.exitCode !== null) throw new Error(`the game database does not start:\n${this.#output}`)
      const isUp = await isAnswering().then(
        () => true,
        () => false,
      )
      if (isUp) return
    }
    throw new Error(`the game database was not there after ${START_MS_MAX} ms:\n${this.#output}`)
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

async function createDatabase(connection: Connection, port: number): Promise<TestMysqlDatabase> {
  const name = `game_${randomBytes(5).toString('hex')}`
  const password = randomBytes(9).toString('hex')
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`)
  await connection.query(`CREATE USER ${name}@'127.0.0.1' IDENTIFIED BY '${password}'`)
  await connection.query(`GRANT ALL ON ${name}.* TO ${name}@'127.0.0.1'`)
  return { name, user: name, password, url: `mysql://${name}:${password}@127.0.0.1:${port}/${name}` }
}
