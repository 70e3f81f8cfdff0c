import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileJava, findJava, type Java } from '#tests/support/java.ts'
import { canHaveMysql } from '#tests/support/mysql.ts'
import { addPortalTables, type GameDatabase, openGameDatabase } from './database.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const START_MS_MAX = 60_000

/** Starts quickly and is small: it lives for seconds. */
const JVM_OPTIONS = ['-Xmx128m', '-Xshare:auto', '-XX:+UseSerialGC']

export const SECRET = 'bi-mat-cua-may-chu-game'

/** What an accepted or refused login looks like to the game. */
export type Login = {
  result: string
  account: string | null
  until: string | null
  sentence: string
  ms: number
}
export type HeroView = { luong: number; yen: number; bag: string }

/** What a test may let happen at the next gift or log-in: Faults.java. */
export type Fault =
  | 'kill-before-commit'
  | 'kill-after-commit'
  | 'commit-in-give'
  | 'deadlock'
  | 'commit-lost-before'
  | 'commit-lost-after'
  | 'commit-lost-open'
  | 'commit-lost-away'
  | 'change-before-commit'
  | 'change-at-commit'
  | 'leave-at-commit'
  | 'visit-after-load'
  | 'none'

export type GameOptions = {
  collectors?: readonly string[]
  portalUrl?: string
  secret?: string
  /** The pause between two rounds of collecting. */
  collectMs?: number
  /** Players' messages take another lock than the saves. */
  isHalfLocked?: boolean
}

/** One process of the rehearsal game. Calls after its end fail. */
export type RehearsalGame = {
  login(account: string, password: string, address?: string): Promise<Login>
  /** As after a login; false for an account that the game does not have. */
  enter(account: string): Promise<boolean>
  leave(account: string): Promise<boolean>
  show(account: string): Promise<HeroView | null>
  spend(account: string, yen: number): Promise<number>
  /** So many worthless things are in the bag from now on. */
  fill(account: string, items: number): Promise<number>
  fault(fault: Fault): Promise<void>
  disconnected(): Promise<{ account: string; sentence: string }[]>
  /** What the portal had shown. */
  notices(): Promise<{ account: string; sentence: string }[]>
  /** By which names players are in the game. */
  online(): Promise<string[]>
  /** Any command of RehearsalGame.java. */
  call(name: string, ...words: string[]): Promise<unknown>
  /** Everything it wrote to its log. */
  log(): string
  /** The exit code, null after a signal. */
  ended: Promise<number | null>
  /** kill -9. */
  kill(): Promise<void>
  /** Shuts down, with every character saved. */
  end(): Promise<void>
}

/** A database with the game's tables, and the compiled game. */
export type Rehearsal = {
  database: GameDatabase
  startGame(options?: GameOptions): Promise<RehearsalGame>
  end(): Promise<void>
}

/** The second shape: bags are rows, saves read memory, and the collation of names tells capitals apart. */
const MANY_TABLES = `
  CREATE TABLE game_item (
    character_id INT NOT NULL, slot INT NOT NULL, code VARCHAR(20) NOT NULL, quantity BIGINT NOT NULL, days INT NOT NULL,
    PRIMARY KEY (character_id, slot)
  ) ENGINE = InnoDB;
  ALTER TABLE game_account MODIFY username VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL`

/** With the tables of the portal unless the adapter is to make them. */
export async function openRehearsal({
  hasPortalTables = true,
  isOfManyTables = false,
} = {}): Promise<Rehearsal> {
  const java = await findJava()
  if (!(await canHaveMysql())) throw new Error('there is no game database')
  const folder = join(root, 'tests/rehearsal/game')
  const own = (await readdir(folder)).filter((file) => file.endsWith('.java')).toSorted()
  const files = [...own.map((file) => join(folder, file)), join(root, 'deploy/game/PortalGame.java')]
  const classes = await compileJava(java, files)
  const database = await openGameDatabase()
  await database.query(await readFile(join(root, 'tests/rehearsal/game.sql'), 'utf8'))
  if (isOfManyTables) await database.query(MANY_TABLES)
  if (hasPortalTables) await addPortalTables(database)
  const games = new Set<RehearsalGame>()
  return {
    database,
    async startGame(options = {}) {
      const game = await startGame({ java, classes, databaseUrl: database.jdbcUrl, isOfManyTables }, options)
      games.add(game)
      return game
    },
    async end() {
      await Promise.all([...games].map((game) => game.kill()))
      await database.end()
    },
  }
}

type Place = { java: Java; classes: string; databaseUrl: string; isOfManyTables: boolean }

async function startGame(
  { java, classes, databaseUrl, isOfManyTables }: Place,
  {
    collectors = ['game'],
    portalUrl = 'http://127.0.0.1:9',
    secret = SECRET,
    collectMs = 50,
    isHalfLocked = false,
  }: GameOptions,
): Promise<RehearsalGame> {
  const path = [classes, java.driver].join(delimiter)
  const child = spawn(java.java, [...JVM_OPTIONS, '-cp', path, 'RehearsalGame'], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const { call, log, ended, ready } = converse(child)
  const given = { databaseUrl, collectors, portalUrl, secret, collectMs, isHalfLocked, isOfManyTables }
  child.stdin.write(`${JSON.stringify(given)}\n`)
  const timer = setTimeout(() => child.kill('SIGKILL'), START_MS_MAX)
  await ready.finally(() => clearTimeout(timer))
  return {
    login: (account, password, address = '203.0.113.7') => call<Login>('login', account, password, address),
    enter: (account) => call('enter', account),
    leave: (account) => call('leave', account),
    show: (account) => call('show', account),
    spend: (account, yen) => call('spend', account, String(yen)),
    fill: (account, items) => call('fill', account, String(items)),
    fault: (fault) => call('fault', fault),
    disconnected: () => call('disconnected'),
    notices: () => call('notices'),
    online: () => call('online'),
    call,
    log,
    ended,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async end() {
      child.stdin.end()
      await ended
    },
  }
}

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void }

/** Commands and their answers, one line each. */
function converse(child: ChildProcess) {
  let count = 0
  let written = ''
  const waiting = new Map<number, Waiting>()
  const wait = <Value>(number: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<Value>()
    waiting.set(number, { resolve: resolve as (value: unknown) => void, reject })
    return promise
  }
  const ready = wait<unknown>(0)
  child.stderr?.on('data', (chunk: Buffer) => (written += chunk.toString()))
  child.stdin?.on('error', () => {})
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
    const [number, value, problem] = JSON.parse(line) as [number, unknown, string?]
    if (problem === undefined) waiting.get(number)?.resolve(value)
    else waiting.get(number)?.reject(new Error(problem))
    waiting.delete(number)
  })
  const ended = once(child, 'close').then(([code]) => {
    for (const { reject } of waiting.values()) reject(new Error(`the game has ended:\n${written}`))
    waiting.clear()
    return code as number | null
  })
  return {
    ready,
    ended,
    log: () => written,
    call<Value>(name: string, ...words: string[]): Promise<Value> {
      if (child.exitCode !== null || child.signalCode !== null)
        return Promise.reject(new Error(`the game has ended:\n${written}`))
      const number = ++count
      const answer = wait<Value>(number)
      child.stdin?.write(`${JSON.stringify([number, name, ...words])}\n`)
      return answer
    },
  }
}
