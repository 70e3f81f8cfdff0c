import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { killPostmaster } from '../harness/faults.ts'
import { freePort } from './network.ts'
import { asRole, UNPRIVILEGED } from './pgbouncer.ts'

const SUPERUSER_PASSWORD = 'the-password-of-the-superuser'
const OWNER_PASSWORD = 'the-password-of-the-owner'
const START_MS_MAX = 60_000
/** By this name the server that takes writes waits for the other one. */
const STANDBY = 'standby'

/** The folder of the machine's own programs, oldest version first: that is what installations have. */
const programs = (): string | undefined =>
  globSync('/usr/lib/postgresql/{15,16,17,18}/bin/pg_basebackup').toSorted().map(dirname)[0]

export const isSystemPostgresThere = () => programs() !== undefined

type Options = {
  environment?: Record<string, string>
  /** As `name=value`, beside its own. */
  settings?: readonly string[]
}

/** A PostgreSQL of the machine at one port, which may be a standby of another one. */
export class SystemPostgres {
  readonly port: number
  readonly dataDir: string
  #child: ChildProcess | null = null
  #output = ''

  readonly #environment: Record<string, string>

  readonly #settings: readonly string[]

  private constructor(dataDir: string, port: number, { environment = {}, settings = [] }: Options) {
    this.dataDir = dataDir
    this.port = port
    this.#environment = environment
    this.#settings = settings
  }

  static async open(folder: string, name: string, options: Options = {}): Promise<SystemPostgres> {
    await chmod(folder, 0o755)
    return new SystemPostgres(join(folder, name), await freePort(), options)
  }

  get adminUrl(): string {
    return `postgres://postgres:${SUPERUSER_PASSWORD}@127.0.0.1:${this.port}/postgres`
  }

  get ownerUrl(): string {
    return `postgres://portal:${OWNER_PASSWORD}@127.0.0.1:${this.port}/portal`
  }

  /** A new cluster with what the README requires: an ordinary role and its database. */
  async create(): Promise<void> {
    await this.#emptyFolder()
    const passwordFile = `${this.dataDir}.password`
    await writeFile(passwordFile, SUPERUSER_PASSWORD)
    this.#run('initdb', [
      `--pgdata=${this.dataDir}`,
      '--username=postgres',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--data-checksums',
    ])
    await this.start()
    await asRole(this.adminUrl, `CREATE ROLE portal LOGIN CREATEROLE PASSWORD '${OWNER_PASSWORD}'`)
    await asRole(this.adminUrl, 'CREATE DATABASE portal OWNER portal')
  }

  /** Becomes a standby of the other one, which from then on confirms a commit only when it is here too. */
  async follow(primary: SystemPostgres): Promise<void> {
    await this.#emptyFolder()
    const from = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${STANDBY}`
    const how = ['--checkpoint=fast', '--wal-method=stream', '--write-recovery-conf']
    await this.#runAside('pg_basebackup', [
      `--dbname=${from} password=${SUPERUSER_PASSWORD}`,
      `--pgdata=${this.dataDir}`,
      ...how,
      '--create-slot',
      `--slot=${STANDBY}`,
    ])
    await this.start()
    await asRole(primary.adminUrl, `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`)
    await asRole(primary.adminUrl, 'SELECT pg_reload_conf()')
    const question = `SELECT FROM pg_stat_replication WHERE sync_state = 'sync'`
    await until(async () => (await asRole(primary.adminUrl, question)).length > 0, 'the standby follows')
  }

  async promote(): Promise<void> {
    await asRole(this.adminUrl, 'SELECT pg_promote(true, 60)')
  }

  async start(): Promise<void> {
    const settings = [
      // The standby reconnects to its primary this often: while it is away, no commit is confirmed.
      'wal_retrieve_retry_interval=1s',
      'log_min_messages=fatal',
      'max_connections=100',
      ...this.#settings,
    ]
    const child = spawn(
      join(programs() as string, 'postgres'),
      [
        '-D',
        this.dataDir,
        '-p',
        String(this.port),
        '-h',
        '127.0.0.1',
        '-k',
        '',
        ...settings.flatMap((one) => ['-c', one]),
      ],
      {
        stdio: ['ignore', 'ignore', 'pipe'],
        cwd: '/',
        env: { ...process.env, ...this.#environment },
        ...UNPRIVILEGED,
      },
    )
    this.#child = child
    child.stderr.on(
      'data',
      (chunk: Buffer) => (this.#output = (this.#output + chunk.toString()).slice(-5_000)),
    )
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`PostgreSQL does not start:\n${this.#output}`)
      return asRole(this.adminUrl, 'SELECT').then(
        () => true,
        () => false,
      )
    }, 'PostgreSQL answers')
  }

  /** A fast stop: transactions are undone, and what was committed is written down. */
  async stop(): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const closed = once(child, 'close')
    child.kill('SIGINT')
    await closed
  }

  /** kill -9 of all its processes. */
  async kill(): Promise<void> {
    const closed = once(this.#child as ChildProcess, 'close')
    await killPostmaster(this.dataDir)
    await closed
  }

  /** The number of the next transaction, and the file that PostgreSQL wants to have of it; while it is stopped. */
  async setNextTransaction(number: number): Promise<void> {
    this.#run('pg_resetwal', ['--force', `--next-transaction-id=${number}`, this.dataDir])
    const file = join(
      this.dataDir,
      'pg_xact',
      Math.floor(number / 2 ** 20)
        .toString(16)
        .toUpperCase()
        .padStart(4, '0'),
    )
    await writeFile(file, Buffer.alloc(2 ** 18), { flag: 'wx', mode: 0o600 }).catch(() => {})
    if (UNPRIVILEGED.uid !== undefined) await chown(file, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
  }

  async #emptyFolder(): Promise<void> {
    await rm(this.dataDir, { recursive: true, force: true })
    await mkdir(this.dataDir, { mode: 0o700 })
    if (UNPRIVILEGED.uid !== undefined) await chown(this.dataDir, UNPRIVILEGED.uid, UNPRIVILEGED.gid)
  }

  #run(program: string, given: string[]): void {
    const { status, stderr } = spawnSync(join(programs() as string, program), given, {
      encoding: 'utf8',
      cwd: '/',
      ...UNPRIVILEGED,
    })
    if (status !== 0) throw new Error(`${program} failed:\n${stderr}`)
  }

  /** Without holding up the load that this process drives. */
  async #runAside(program: string, given: string[]): Promise<void> {
    const child = spawn(join(programs() as string, program), given, {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: '/',
      ...UNPRIVILEGED,
    })
    let output = ''
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const [status] = (await once(child, 'close')) as [number | null]
    if (status !== 0) throw new Error(`${program} failed:\n${output}`)
  }
}

async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  for (let end = Date.now() + START_MS_MAX; Date.now() < end; await sleep(50)) if (await isSo()) return
  throw new Error(`not within ${START_MS_MAX} ms: ${what}`)
}
