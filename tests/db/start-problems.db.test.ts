import { execFile, execFileSync, type ExecFileException } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { diagnose, lineOf } from '#server/health/checkup.ts'
import { freePort } from '#tests/support/network.ts'
import { useFolder } from '#tests/support/folder.ts'
import { freshDatabase } from '#tests/support/postgres.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'

/** Longer than a start on a busy machine. */
const WAIT_MS = 90_000

type Environment = Record<string, string>

const folder = useFolder()
const cleanUps: (() => Promise<unknown> | void)[] = []

afterAll(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp()
})

const environmentWith = async (given: Environment): Promise<NodeJS.ProcessEnv> => ({
  ...process.env,
  DATABASE_URL: '',
  DATA_DIR: join(folder, 'unused'),
  PORT: String(await freePort()),
  LOG_LEVEL: 'error',
  ...given,
})

/** A program of the portal in that environment, to its end. */
async function run(
  program: readonly string[],
  environment: Environment,
): Promise<{ code: number; text: string }> {
  const env = await environmentWith(environment)
  return new Promise((resolve) => {
    const ended = (error: ExecFileException | null, output: string, errors: string) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), text: output + errors })
    execFile(process.execPath, [...program], { env, timeout: WAIT_MS }, ended)
  })
}
const doctor = (environment: Environment) => run(['src/server/cli/cli.ts', 'doctor'], environment)

/** What doctor reports; as a process, which takes a second of CPU time, only where the environment reaches into the program. */
async function examined(environment: Environment): Promise<string> {
  if ('NODE_OPTIONS' in environment) return (await doctor(environment)).text
  return (await diagnose(await environmentWith(environment))).map(lineOf).join('\n')
}

async function superuser(sql: string, database?: string): Promise<string[]> {
  const url = new URL(inject('postgres').adminUrl)
  if (database !== undefined) url.pathname = `/${database}`
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(sql)
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** A new role with `rights`, and an empty database of its own. */
async function aRole(rights: string): Promise<{ role: string; database: string }> {
  const role = `problem_${randomBytes(6).toString('hex')}`
  await superuser(`CREATE ROLE ${role} LOGIN ${rights} PASSWORD 'secret'`)
  await superuser(`CREATE DATABASE ${role} OWNER ${role}`)
  cleanUps.push(async () => {
    await superuser(`DROP DATABASE ${role} WITH (FORCE)`)
    await superuser(`DROP OWNED BY ${role}`)
    await superuser(`DROP ROLE ${role}`)
  })
  return { role, database: role }
}

function onDatabase(role: string, database: string, password = 'secret'): Environment {
  const url = new URL(inject('postgres').adminUrl)
  Object.assign(url, { username: role, password, pathname: `/${database}` })
  return { DATABASE_URL: url.href, DEMO: '0', GAME_SERVER_URL: 'embedded', PUBLIC_URL: 'https://ninja.test' }
}

/** A small file system of its own where this user may mount one, else null. */
function mounted(options: string): string | null {
  const place = join(folder, `disk-${randomBytes(4).toString('hex')}`)
  try {
    execFileSync('mkdir', [place])
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place], { stdio: 'ignore' })
  } catch {
    return null
  }
  cleanUps.push(() => void execFileSync('umount', ['-l', place]))
  return place
}

const preload = (code: string): Environment => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
})

const AN_HOUR_AHEAD = `
  const TrueDate = Date
  globalThis.Date = class extends TrueDate {
    constructor(...given) { if (given.length === 0) super(TrueDate.now() + 3600000); else super(...given) }
    static now() { return TrueDate.now() + 3600000 }
  }`

const A_SMALL_DISK = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  fs.promises.statfs = async () => ({ bavail: 5000, bsize: 4096 })
  syncBuiltinESMExports()`

async function aFolderThatCannotBeWritten(): Promise<string> {
  // Root writes wherever the file system does.
  const disk = mounted('size=4m,ro')
  if (disk !== null) return join(disk, 'data')
  const closed = join(folder, 'closed')
  await mkdir(closed)
  await chmod(closed, 0o500)
  if (process.getuid?.() !== 0) return join(closed, 'data')
  await writeFile(join(closed, 'a-file'), '')
  return join(closed, 'a-file', 'data')
}

async function anotherProgram(): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi'))
  const port = await freePort()
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  cleanUps.push(() => void server.close())
  return { server, port }
}

type Problem = { environment: () => Promise<Environment>; name: string; sentence: RegExp }

const PROBLEMS: Record<string, Problem> = {
  'a role that may not make roles': {
    async environment() {
      const { role, database } = await aRole('')
      return onDatabase(role, database)
    },
    name: 'rights',
    sentence:
      /the role of DATABASE_URL may not make the roles the portal needs: let a superuser run ALTER ROLE "\w+" CREATEROLE, then start again/,
  },
  'a role that may not make tables': {
    async environment() {
      const [{ role }, { database }] = await Promise.all([aRole('CREATEROLE'), aRole('')])
      return onDatabase(role, database)
    },
    name: 'rights',
    sentence:
      /the role "\w+" may not make tables in the database "\w+": let a superuser run ALTER DATABASE "\w+" OWNER TO "\w+", then start again/,
  },
  'a role that did not make the tables': {
    async environment() {
      const { role } = await aRole('CREATEROLE')
      const { ownerUrl, drop } = await freshDatabase()
      cleanUps.push(drop)
      return onDatabase(role, new URL(ownerUrl).pathname.slice(1))
    },
    name: 'rights',
    sentence:
      /the tables of the database "\w+" belong to the role "\w+", not to "\w+": give DATABASE_URL the role "\w+"/,
  },
  'a wrong password': {
    async environment() {
      const { role, database } = await aRole('CREATEROLE')
      return onDatabase(role, database, 'wrong')
    },
    name: 'database',
    sentence: /PostgreSQL at \S+ does not accept the password of the role "\w+": correct it in DATABASE_URL/,
  },
  'a database that does not exist': {
    async environment() {
      const { role } = await aRole('CREATEROLE')
      return onDatabase(role, 'nowhere')
    },
    name: 'database',
    sentence: /PostgreSQL at \S+ has no database "nowhere": run CREATE DATABASE "nowhere" OWNER "\w+" there/,
  },
  'a clock that is an hour ahead': {
    async environment() {
      const { role, database } = await aRole('CREATEROLE')
      return { ...onDatabase(role, database), ...preload(AN_HOUR_AHEAD) }
    },
    name: 'clock',
    sentence:
      /the clock of this machine is 3(?:599|600|601) s ahead of that of PostgreSQL: set the wrong one right \(timedatectl set-ntp true\), then start again/,
  },
  'a folder that cannot be written': {
    environment: async () => ({ DATA_DIR: await aFolderThatCannotBeWritten() }),
    name: 'data',
    sentence:
      /DATA_DIR: \S+ cannot be read and written \(\w+\): start the portal as the user who made it, give it to this user, or choose another DATA_DIR/,
  },
  'a folder that is a file, where the database is elsewhere and mails become files': {
    async environment() {
      const { role, database } = await aRole('CREATEROLE')
      const DATA_DIR = join(folder, 'not-a-folder')
      await writeFile(DATA_DIR, '')
      return { ...onDatabase(role, database), DATA_DIR }
    },
    name: 'data',
    sentence: /DATA_DIR: \S+ cannot be read and written \(\w+\): start the portal as the user who made it/,
  },
  'TLS with a database that has none': {
    async environment() {
      const { role, database } = await aRole('CREATEROLE')
      const on = onDatabase(role, database)
      return { ...on, DATABASE_URL: `${on.DATABASE_URL}?sslmode=verify-full` }
    },
    name: 'database',
    sentence:
      /PostgreSQL at \S+ does not speak TLS: turn its setting ssl on, or leave sslmode out of DATABASE_URL/,
  },
  'a full disk': {
    async environment() {
      const disk = mounted('size=20m')
      if (disk !== null) return { DATA_DIR: join(disk, 'data') }
      return { DATA_DIR: join(folder, 'full'), ...preload(A_SMALL_DISK) }
    },
    name: 'disk',
    sentence:
      /the disk of DATA_DIR \(\S+\) has (?:19|20) MB left: make room for 128 MB at least, or choose another DATA_DIR, then start again/,
  },
  'a port that another program uses': {
    async environment() {
      const { port } = await anotherProgram()
      return { DATA_DIR: join(folder, 'port-taken'), PORT: String(port) }
    },
    name: 'port',
    sentence: /another program uses 127\.0\.0\.1:\d+: end it, or choose another port with PORT=…/,
  },
  'a port of the metrics that another program uses': {
    environment: async () => ({ METRICS_PORT: String((await anotherProgram()).port) }),
    name: 'metrics',
    sentence: /METRICS_PORT \d+ is used by another program: end it or choose another port; several/,
  },
  'metrics for strangers': {
    environment: async () => ({ METRICS_PORT: '9464', METRICS_HOST: '203.0.113.5' }),
    name: 'metrics',
    sentence: /METRICS_HOST \S+ serves metrics .* at 203\.0\.113\.5, which strangers reach: set it to/,
  },
  'no secret of the game': {
    environment: async () => ({ DEMO: '1', GAME_SERVER_URL: 'http://127.0.0.1:4000' }),
    name: 'environment',
    sentence: /GAME_SERVER_URL and GAME_SERVER_SECRET: give both or neither/,
  },
  'a port that is no number': {
    environment: async () => ({ PORT: 'abc' }),
    name: 'environment',
    sentence: /PORT: a whole number from 1 to 65535; correct it, or leave it out for 3000/,
  },
  'a port that there is not': {
    environment: async () => ({ PORT: '70000' }),
    name: 'environment',
    sentence: /PORT: a whole number from 1 to 65535; correct it, or leave it out for 3000/,
  },
  'a demo that strangers reach': {
    environment: async () => ({ DEMO: '1', HOST: '0.0.0.0' }),
    name: 'environment',
    sentence: /DEMO: a demo listens on loopback only \(HOST, PUBLIC_URL\), unless DEMO_PUBLIC=1/,
  },
  'a mail server without a sender': {
    environment: async () => ({ SMTP_URL: 'smtp://mail.ninja.test' }),
    name: 'environment',
    sentence: /MAIL_FROM: a mail server takes nothing without a sender it knows/,
  },
  'another database as the direct one': {
    environment: async () => ({
      ...onDatabase('portal', 'portal'),
      DATABASE_DIRECT_URL: 'postgres://portal:other@127.0.0.1:1/portal',
    }),
    name: 'environment',
    sentence: /DATABASE_DIRECT_URL: give DATABASE_URL too, with the same user, password and database/,
  },
  'a secret that is too short': {
    environment: async () => ({ GAME_SERVER_URL: 'http://127.0.0.1:4000', GAME_SERVER_SECRET: 'ngan-qua' }),
    name: 'environment',
    sentence: /GAME_SERVER_SECRET: each secret needs at least 16 characters; correct it/,
  },
  'a PostgreSQL that is not there': {
    environment: async () => ({
      ...onDatabase('portal', 'portal'),
      DATABASE_URL: `postgres://portal:secret@127.0.0.1:${await freePort()}/portal`,
    }),
    name: 'database',
    sentence:
      /PostgreSQL at 127\.0\.0\.1:\d+ does not answer: start it, or correct host and port in DATABASE_URL/,
  },
  'no password of the embedded database': {
    async environment() {
      const DATA_DIR = join(folder, 'no-password')
      await mkdir(join(DATA_DIR, 'postgres'), { recursive: true })
      await writeFile(join(DATA_DIR, 'postgres', 'PG_VERSION'), '18\n')
      return { DATA_DIR }
    },
    name: 'database',
    sentence:
      /there is a database in \S+ but its password file \S+ is missing: restore the file from a backup, or move the folder postgres away to begin anew/,
  },
  'secrets of a demo that are damaged': {
    async environment() {
      const DATA_DIR = join(folder, 'damaged')
      await mkdir(DATA_DIR)
      await writeFile(join(DATA_DIR, 'secrets.json'), '{"SEPAY')
      return { DATA_DIR }
    },
    name: 'environment',
    sentence:
      /\S+secrets\.json is damaged: restore it from a backup, or remove it and the demo makes up new secrets/,
  },
}

describe(
  'what stops a start is one sentence with what to do, and doctor reports it before',
  { timeout: 3 * WAIT_MS },
  () => {
    test.for(everyNth(Object.entries(PROBLEMS), 6))('%s', async ([, { environment, name, sentence }]) => {
      const given = await environment()
      const text = await examined(given)
      const line = text.split('\n').find((one) => one.startsWith('error') && sentence.test(one)) ?? ''
      expect(line, text).toMatch(new RegExp(`^error +${name} `))
      expect(text).not.toMatch(/^ +at |ngan-qua/m)

      const started = await run(['src/server/start.js'], given)
      expect(started.code, started.text).toBe(1)
      expect(started.text).toMatch(/^Cổng Ninja cannot start: /m)
      expect(started.text).toMatch(sentence)
      expect(started.text).not.toMatch(/^ +at |ngan-qua/m)
    })
  },
)

/** The program's folder, in which the folder of the built site is empty and cannot be written; null without root. */
function withoutBuild(): string | null {
  const place = join(folder, 'program')
  try {
    execFileSync('mkdir', ['-p', place, 'dist'])
    execFileSync('mount', ['--bind', process.cwd(), place], { stdio: 'ignore' })
    cleanUps.push(() => void execFileSync('umount', ['-l', place]))
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,ro', 'tmpfs', join(place, 'dist')], {
      stdio: 'ignore',
    })
    cleanUps.push(() => void execFileSync('umount', ['-l', join(place, 'dist')]))
    return place
  } catch {
    return null
  }
}

test(
  'a program without its built site in a folder that cannot be written does not start',
  { timeout: WAIT_MS },
  async (context) => {
    const program = withoutBuild()
    if (program === null) return context.skip('this user may not mount')
    const { code, text } = await run([join(program, 'scripts/start.js')], {
      DATA_DIR: join(folder, 'unused'),
    })
    expect(code, text).toBe(1)
    expect(text).toMatch(
      /^\S+dist cannot be written \(EROFS\), and holds no site of this version: run `npm run build` in \S+ as a user who may write there, then start again$/m,
    )
    expect(text).toMatch(/^Cổng Ninja cannot start: the site could not be built$/m)
    expect(text).not.toMatch(/^ +at /m)
    if (!hasAllCases) return
    // As units and the image start it: nothing is built then.
    const started = await run([join(program, 'src/server/start.js'), '--web'], {
      DATA_DIR: join(folder, 'without-build'),
    })
    expect(started.text).toMatch(
      /^Cổng Ninja cannot start: the site has not been built, or cannot be read by this user: run `npm run build` in \S+ as /m,
    )
    expect(started.text).not.toMatch(/^ +at /m)
  },
)

describe('doctor changes nothing', { timeout: WAIT_MS }, () => {
  test('where everything is ready for a first start, and reports it', async () => {
    const { role, database } = await aRole('CREATEROLE')
    // Other files of the tests make roles on this server meanwhile: only those that this role made
    // count. PostgreSQL 16 and later make the creator of a role a member of it.
    const roles = () =>
      superuser(`SELECT roleid::regrole AS name FROM pg_auth_members WHERE member = '${role}'::regrole`)
    const before = await roles()
    const { code, text } = await doctor({ ...onDatabase(role, database), DATA_DIR: join(folder, 'not-made') })
    expect(text).toMatch(/^ok +schema +\d+ migrations are missing: the next start applies them$/m)
    expect(text).toMatch(/^ok +rights /m)
    expect(text).toMatch(/^ok +clock /m)
    expect(code, text).toBe(0)
    expect(await roles()).toEqual(before)
    const tables = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
    expect(await superuser(tables, database)).toEqual([])
    expect(await readdir(folder)).not.toContain('not-made')
  })

  test('nor makes the embedded database', async () => {
    const text = await examined({ DATA_DIR: join(folder, 'nothing-yet') })
    expect(text).toMatch(/^ok +database +the embedded one in \S+ is made by the first start$/m)
    expect(text).toMatch(/^ok +data +\S+ is made by the first start$/m)
    expect(text).not.toMatch(/^error/m)
    expect(await readdir(folder)).not.toContain('nothing-yet')
  })
})
