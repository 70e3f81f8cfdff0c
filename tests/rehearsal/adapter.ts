import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startAdapter, type Adapter } from '#game-adapter/adapter.ts'
import { readConfig } from '#game-adapter/config.ts'
import { install } from '#game-adapter/install.ts'
import { openLog } from '#game-adapter/log.ts'
import { freePort } from '#tests/support/network.ts'
import type { GameDatabase } from './database.ts'
import { SECRET } from './game.ts'

const PROGRAM = fileURLToPath(new URL('../../src/game-adapter/main.ts', import.meta.url))

/** `game.json` of the rehearsal game. */
const fileOf = (database: GameDatabase, port: number) => ({
  preset: 'by-key',
  database: database.url,
  secret: SECRET,
  port,
  luong: 'account',
  accounts: { table: 'game_account', luong: 'luong' },
  characters: {
    table: 'game_character',
    account: 'account_id',
    server: null,
    class: 'class_id',
    luong: null,
  },
  servers: [{ id: '1', name: 'Một' }],
})

/** The contract over the database of the rehearsal game, with its tables installed. */
export async function startRehearsalAdapter(database: GameDatabase): Promise<Adapter> {
  const config = readConfig(fileOf(database, 0), {})
  await install(config, { isCarriedOut: true, print: () => {} })
  return startAdapter(
    config,
    openLog(() => {}),
  )
}

export type AdapterProcess = {
  url: string
  /** Answers once it listens; it does not start without its database. */
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
}

/** The same as a process of its own, whose `game.json` has these fields too. */
export async function openAdapterProcess(database: GameDatabase, more: object): Promise<AdapterProcess> {
  const port = await freePort()
  const given = { ...fileOf(database, port), ...more }
  await install(readConfig(given, {}), { isCarriedOut: true, print: () => {} })
  const file = join(await mkdtemp(join(tmpdir(), 'adapter-')), 'game.json')
  await writeFile(file, JSON.stringify(given))
  let child: ChildProcess | null = null
  return {
    url: `http://127.0.0.1:${port}`,
    async start() {
      const started = spawn(process.execPath, [PROGRAM, file], { stdio: ['ignore', 'pipe', 'inherit'] })
      child = started
      const said = once(started.stdout, 'data').then(() => {})
      const ended = once(started, 'close').then(() => {
        throw new Error('the adapter does not start')
      })
      ended.catch(() => {})
      await Promise.race([said, ended])
      started.stdout.resume()
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return
      const closed = once(child, 'close')
      child.kill('SIGKILL')
      await closed
    },
  }
}
