import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openEmbeddedPostgres } from './index.ts'
import { isProcessAlive, processCommand, waitUntilGone } from './processes.ts'
import { hasAllCases } from '#tests/support/test-run.ts'

let dataDir: string
let logged: string[]
let children: ChildProcess[]

beforeEach(async () => {
  // 0700 as mkdtemp makes it: started by root, PostgreSQL's own user cannot simply walk in.
  dataDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-'))
  logged = []
  children = []
})

afterEach(async () => {
  for (const child of children) if (child.pid !== undefined) killHard(child.pid)
  const pid = await postmasterPid().catch(() => null)
  if (pid !== null && processCommand(pid)?.includes(dataDir)) {
    killHard(pid)
    await waitUntilGone(pid, 5_000)
  }
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

const open = (durable = true) =>
  openEmbeddedPostgres({
    dataDir,
    durable,
    log: (message, fields) => logged.push(`${message} ${JSON.stringify(fields ?? {})}`),
  })

const killHard = (pid: number) => {
  if (isProcessAlive(pid)) process.kill(pid, 'SIGKILL')
}

const postmasterPid = async () =>
  Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])

const recorded = async () =>
  JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8')) as { port: number; password: string }

async function query<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(sql)).rows as Row[]
  } finally {
    await client.end()
  }
}

/** Another process of the portal that uses the server until it is stopped or killed. */
function startHolder() {
  const script = `
    const { openEmbeddedPostgres } = await import(process.argv[1])
    const server = await openEmbeddedPostgres({ dataDir: process.argv[2], log: () => {} })
    console.log(server.url)
    process.stdin.once('data', async () => { await server.stop(); process.exit(0) })`
  const index = new URL('./index.ts', import.meta.url).href
  const args = ['--input-type=module', '--eval', script, index, dataDir]
  // In a process group of its own, as a shell would start it.
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  children.push(child)
  const opened = once(createInterface(child.stdout), 'line').then(([line]) => String(line))
  return {
    pid: child.pid!,
    opened,
    stop: async () => {
      child.stdin.write('stop\n')
      await once(child, 'exit')
    },
    kill: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
    pressCtrlC: async () => {
      process.kill(-child.pid!, 'SIGINT')
      await once(child, 'exit')
    },
  }
}

test('the first start makes a durable, checksummed database that only this machine can reach', async () => {
  const server = await open()
  const names = `'data_checksums','fsync','full_page_writes','listen_addresses','synchronous_commit','unix_socket_directories'`
  const settings = await query(
    server.url,
    `SELECT name, setting FROM pg_settings WHERE name IN (${names}) ORDER BY name`,
  )
  expect(settings).toEqual([
    { name: 'data_checksums', setting: 'on' },
    { name: 'fsync', setting: 'on' },
    { name: 'full_page_writes', setting: 'on' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'unix_socket_directories', setting: join(dataDir, 'postgres') },
  ])
  const place = `SELECT current_database() AS name, lower('ĐƯỜNG') AS low, pg_encoding_to_char(encoding) AS encoding
                 FROM pg_database WHERE datname = current_database()`
  expect(await query(server.url, place)).toEqual([{ name: 'portal', low: 'đường', encoding: 'UTF8' }])

  const url = new URL(server.url)
  const socket = join(dataDir, 'postgres', `.s.PGSQL.${url.port}`)
  expect(decodeURIComponent(url.hostname)).toBe(join(dataDir, 'postgres'))
  expect((await stat(socket)).mode & 0o077).toBe(0)
  const peer = 'SELECT inet_client_addr() AS address'
  expect(await query(server.url, peer)).toEqual([{ address: null }])
  expect(await query(server.url.replace(url.hostname, '127.0.0.1'), peer)).toEqual([{ address: '127.0.0.1' }])
  await server.stop()
})

test('the password is in a closed file and in no log or command line', async () => {
  const server = await open()
  const { password } = await recorded()
  expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600)
  expect(processCommand(await postmasterPid())).not.toContain(password)
  await expect(query(server.url.replace(password, 'wrong'), 'SELECT 1')).rejects.toThrow('password')
  await server.stop()
  const serverLog = await readFile(join(dataDir, 'postgres', 'server.log'), 'utf8')
  expect(serverLog).toContain('password authentication failed')
  expect(serverLog + logged.join('\n')).not.toContain(password)
})

test('a later start uses the same cluster, uses the same address, and finds the stored data', async () => {
  const first = await open()
  await query(first.url, `CREATE TABLE scroll AS SELECT 'ninja' AS word`)
  await first.stop()
  const second = await open()
  expect(logged.filter((line) => line.includes('initialised'))).toHaveLength(1)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'SELECT word FROM scroll')).toEqual([{ word: 'ninja' }])
  await second.stop()
})

test('processes that open at once share one server, which the last of them stops', async () => {
  const holders = [startHolder(), startHolder(), startHolder()]
  const urls = await Promise.all(holders.map((holder) => holder.opened))
  expect(new Set(urls).size).toBe(1)
  const pid = await postmasterPid()
  await holders[0]!.stop()
  await holders[1]!.stop()
  expect(await query(urls[2]!, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await holders[2]!.stop()
  expect(isProcessAlive(pid)).toBe(false)
  expect(await readdir(join(dataDir, 'run'))).toEqual([])
})

test.runIf(hasAllCases)(
  'two uses in one process are two uses, and stopping one twice is stopping it once',
  async () => {
    const first = await open()
    const second = await open()
    await Promise.all([first.stop(), first.stop()])
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await second.stop()
    await expect(query(second.url, 'SELECT 1')).rejects.toThrow(/ENOENT/)
  },
)

test('after kill -9 of its only user the server is adopted, and stopped as if it were our own', async () => {
  const holder = startHolder()
  const url = await holder.opened
  const pid = await postmasterPid()
  await holder.kill()
  expect(isProcessAlive(pid)).toBe(true)
  const server = await open()
  expect(server.url).toBe(url)
  expect(await postmasterPid()).toBe(pid)
  expect(logged.join()).toContain('adopted')
  await server.stop()
  expect(isProcessAlive(pid)).toBe(false)
})

test("Ctrl-C in the terminal does not reach the server, which is the portal's to stop", async () => {
  const holder = startHolder()
  const url = await holder.opened
  await holder.pressCtrlC()
  expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
})

test('kill -9 of the server under load loses nothing it acknowledged', async () => {
  const first = await open()
  await query(first.url, 'CREATE TABLE coin (id int PRIMARY KEY)')
  const acknowledged: number[] = []
  const writers = [0, 1, 2, 3].map(async (writer) => {
    const client = new Client({ connectionString: first.url })
    client.on('error', () => undefined)
    await client.connect()
    for (let id = writer; ; id += 4) {
      await client.query('INSERT INTO coin VALUES ($1)', [id])
      acknowledged.push(id)
    }
  })
  const ended = Promise.allSettled(writers)
  while (acknowledged.length < 200) await sleep(5)
  process.kill(await postmasterPid(), 'SIGKILL')
  // At once, while sessions of the killed server may still be running.
  const second = await open()
  await ended
  const found = await query<{ id: number }>(second.url, 'SELECT id FROM coin')
  const foundIds = new Set(found.map((row) => row.id))
  expect(acknowledged.filter((id) => !foundIds.has(id))).toEqual([])
  await first.stop()
  await second.stop()
})

test.runIf(hasAllCases)('a start waits for the last session of a killed server', async () => {
  const first = await open()
  const client = new Client({ connectionString: first.url })
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const session = rows[0]!.pid
  process.kill(session, 'SIGSTOP')
  process.kill(await postmasterPid(), 'SIGKILL')
  try {
    const opening = open()
    // Enough for several starts to be refused, since the stopped session still holds the shared memory.
    await sleep(1_500)
    expect(isProcessAlive(session)).toBe(true)
    process.kill(session, 'SIGCONT')
    const second = await opening
    expect(isProcessAlive(session)).toBe(false)
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await first.stop()
    await second.stop()
  } finally {
    killHard(session)
  }
})

test.runIf(hasAllCases)(
  'a pid file and a socket whose pid now belongs to another program does not prevent the start',
  async () => {
    await (await open()).stop()
    // The other program runs as the server's user, the case in which PostgreSQL itself would refuse to start.
    const { uid, gid } = await stat(join(dataDir, 'postgres'))
    const ids = process.getuid?.() === 0 ? { uid, gid } : {}
    const stranger = spawn('/bin/sleep', ['60'], { ...ids, cwd: '/', stdio: 'ignore' })
    children.push(stranger)
    const { port } = await recorded()
    const pidFile = [stranger.pid, join(dataDir, 'postgres'), 1, port, '', '127.0.0.1', '', 'ready', ''].join(
      '\n',
    )
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), pidFile)
    await writeFile(join(dataDir, 'postgres', `.s.PGSQL.${port}.lock`), pidFile)
    const server = await open()
    expect(await postmasterPid()).not.toBe(stranger.pid)
    expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(isProcessAlive(stranger.pid!)).toBe(true)
  },
)

test.runIf(hasAllCases)('an empty pid file left by a power cut does not stop the start', async () => {
  await (await open()).stop()
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '')
  const server = await open()
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await server.stop()
})

test.runIf(hasAllCases)('when its port is taken the server moves to another and records it', async () => {
  const first = await open()
  await first.stop()
  const { port } = await recorded()
  const squatter = createServer().listen(port, '127.0.0.1')
  await once(squatter, 'listening')
  const second = await open()
  const moved = await recorded()
  expect(moved.port).not.toBe(port)
  expect(second.url).toContain(`:${moved.port}/`)
  expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await second.stop()
  squatter.close()
})

test('a first start killed in the middle leaves nothing half-made', async () => {
  const holder = startHolder()
  const isMaking = async () => (await readdir(dataDir)).some((name) => name.startsWith('postgres.new-'))
  while (!(await isMaking())) await sleep(2)
  await sleep(100)
  await holder.kill()
  expect(await readdir(dataDir)).not.toContain('postgres')
  const server = await open()
  expect(await query(server.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(await isMaking()).toBe(false)
  await server.stop()
})

test('a directory that holds something else is left as it is', async () => {
  await mkdir(join(dataDir, 'postgres'))
  await writeFile(join(dataDir, 'postgres', 'diary.txt'), 'mine')
  await expect(open()).rejects.toThrow('is not a data directory of PostgreSQL')
  expect(await readdir(join(dataDir, 'postgres'))).toEqual(['diary.txt'])
})

test('a database whose password file is gone is not replaced by a new one', async () => {
  await (await open(false)).stop()
  await rm(join(dataDir, 'postgres.json'))
  await expect(open(false)).rejects.toThrow('is missing: restore the file')
})

test('a server that runs without fsync is refused', async () => {
  const quick = await open(false)
  await expect(open()).rejects.toThrow('fsync')
  expect(await query(quick.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  await quick.stop()
})
