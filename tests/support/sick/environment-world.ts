import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { inject } from 'vitest'
import { freePort } from '../network.ts'

type Environment = Record<string, string>
type CleanUps = (() => Promise<unknown> | void)[]

export async function superuser(sql: string, database?: string): Promise<string[]> {
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

const LIVE = { DEMO: '0', GAME_SERVER_URL: 'embedded', PUBLIC_URL: 'https://ninja.test' }

export function onDatabase(role: string, database: string, password = 'secret'): Environment {
  const url = new URL(inject('postgres').adminUrl)
  Object.assign(url, { username: role, password, pathname: `/${database}` })
  return { DATABASE_URL: url.href, ...LIVE }
}

export const onPort = (port: number): Environment => ({
  DATABASE_URL: `postgres://portal:secret@127.0.0.1:${port}/portal`,
  ...LIVE,
})

export const preload = (code: string): Environment => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
})

export const AN_HOUR_AHEAD = `
  const TrueDate = Date
  globalThis.Date = class extends TrueDate {
    constructor(...given) { if (given.length === 0) super(TrueDate.now() + 3600000); else super(...given) }
    static now() { return TrueDate.now() + 3600000 }
  }`

export const A_SMALL_DISK = `
  import fs from 'node:fs'
  import { syncBuiltinESMExports } from 'node:module'
  fs.promises.statfs = async () => ({ bavail: 5000, bsize: 4096 })
  syncBuiltinESMExports()`

/** A message of PostgreSQL's protocol. */
function message(kind: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}
const zeroEnded = (...texts: string[]) => Buffer.from(texts.map((text) => `${text}\0`).join(''))
const READY = message('Z', Buffer.from('I'))
const LET_IN = Buffer.concat([message('R', Buffer.alloc(4)), READY])

/** One row of one text column. */
function rowOf(text: string): Buffer {
  const column = Buffer.concat([Buffer.from([0, 1]), zeroEnded('version'), Buffer.alloc(18)])
  column.writeInt32BE(25, column.length - 12)
  const length = Buffer.alloc(6)
  length.writeInt16BE(1)
  length.writeInt32BE(text.length, 2)
  const row = Buffer.concat([length, Buffer.from(text)])
  return Buffer.concat([message('T', column), message('D', row), message('C', zeroEnded('SELECT 1')), READY])
}

type Answer = { hasVersion: string } | { refuses: string; code: string }

/** What sick environments are made of. What it makes is undone by `cleanUps`, the last one first. */
export type World = ReturnType<typeof makeWorld>
export function makeWorld(folder: string) {
  const cleanUps: CleanUps = []

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

  async function listening(server: ReturnType<typeof createServer>): Promise<number> {
    const port = await freePort()
    await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
    cleanUps.push(() => void server.close())
    return port
  }

  const anotherProgram = () =>
    listening(createServer((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi')))

  /** A PostgreSQL that there is not on this machine, as far as it is asked. */
  const aServerThat = (answer: Answer) =>
    listening(
      createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => {
          if ('hasVersion' in answer) socket.write(LET_IN)
          else socket.end(message('E', zeroEnded('SFATAL', `C${answer.code}`, `M${answer.refuses}`, '')))
          socket.on('data', () => 'hasVersion' in answer && socket.write(rowOf(answer.hasVersion)))
        })
      }),
    )

  return { folder, cleanUps, aRole, mounted, aFolderThatCannotBeWritten, anotherProgram, aServerThat }
}
