import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { FAULTS, NO_FAULTS, type FaultSettings } from '#game-server/faults.ts'
import { startFakeProviders, type FakeProviders } from '#tests/fakes/provider-server.ts'
import { runCommand } from '#tests/support/command-line.ts'
import { startGameProcess, type GameProcess } from '#tests/support/game-process.ts'
import { gameRecord } from '#tests/support/game-record.ts'
import { PAYMENT_ENVIRONMENT, PAYMENT_KEYS } from '#tests/support/payment-keys.ts'
import { openPeople, type People } from './people.ts'
import { openSite, withOwnerUrl } from './site.ts'
import { faultsOf, judgeRestored, type Found, type Moments } from './verdict.ts'
import { secondsSince } from '../seconds-since.ts'

export type RestoreOptions = {
  seed: number
  rounds: number
  players: number
  /** Before the backup, until the loss, and after the restore. */
  seconds: number
  /** Told of each round when it is over. */
  say?: (round: Round) => void
}

type Round = Found['verdict'] & {
  seed: number
  acts: number
  /** Newcomers whose account or activation came after the backup. */
  goneAccounts: number
  openAtRestore: number
  openListed: number
  /** Goods of purchases that the backup did not have: all of them are listed by compare-game. */
  forgottenGoods: number
  transfersCredited: number
  transfersInReview: number
  backupSeconds: number
  restoreSeconds: number
  settleSeconds: number
  isClean: boolean
}

export type RestoreReport = { rounds: Round[]; isClean: boolean }

const SECRET = 'game-secret-of-the-restore'
const TOKEN = 'sepay-token-of-the-restore'
const SETTLE_MS_MAX = 180_000

/**
 * Everything of docs/runbooks/restore.md: players trade, an encrypted backup is taken meanwhile, all goes on, and then
 * processes and database are killed and lost. The backup is restored elsewhere, and the portal goes on with the same game
 * and bank, which know more than it does.
 */
export async function tortureRestore(options: RestoreOptions): Promise<RestoreReport> {
  const rounds: Round[] = []
  for (let round = 0; round < options.rounds; round++) {
    const report = await oneRound({ ...options, seed: options.seed + round })
    rounds.push(report)
    options.say?.(report)
  }
  return { rounds, isClean: rounds.every(({ isClean }) => isClean) }
}

type World = {
  folder: string
  game: GameProcess
  bank: FakeProviders
  environment: Record<string, string>
  options: RestoreOptions
}

async function oneRound(options: RestoreOptions): Promise<Round> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-restore-'))
  const game = await startGameProcess({
    secret: SECRET,
    dataDir: join(folder, 'game'),
    arguments: ['--control', '0'],
  })
  const bank = await startBank()
  const environment = {
    ...PAYMENT_ENVIRONMENT,
    DATABASE_URL: '',
    DEMO: '1',
    LOG_LEVEL: 'fatal',
    TRUST_PROXY: '127.0.0.1',
    GAME_SERVER_URL: game.url,
    GAME_SERVER_SECRET: SECRET,
    SEPAY_API_TOKEN: TOKEN,
    SEPAY_BASE_URL: bank.url,
    BACKUP_KEY: `the backup key of seed ${options.seed}`,
  }
  try {
    return await lose({ folder, game, bank, environment, options })
  } finally {
    await game.end()
    await bank.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

const startBank = () =>
  startFakeProviders({
    sepayToken: TOKEN,
    cassoToken: '',
    momo: { partnerCode: '', accessKey: '', secretKey: '' },
    payos: { clientId: '', apiKey: '', checksumKey: PAYMENT_KEYS.payos },
  })

async function lose(world: World): Promise<Round> {
  const { folder, environment, options } = world
  const { seed, players, seconds } = options
  const lostDir = join(folder, 'lost')
  const site = await openSite(lostDir, environment)
  let people: People | null = null
  try {
    people = await openPeople(site.urls, seed, players)
    await change(world.game, { kinds: [...FAULTS], rate: 0.2, seed, slowMs: 1_500 })
    await sleep(seconds * 1_000)
    const file = join(folder, 'backup')
    const began = performance.now()
    const output = await portal(world, lostDir, ['backup', file])
    const backupSeconds = secondsSince(began)
    await sleep(seconds * 1_000)
    const moments = { backup: Date.parse(/ as of (\S+),/.exec(output)?.[1] ?? ''), lost: Date.now() }
    await site.die()
    await rm(lostDir, { recursive: true, force: true, maxRetries: 5 })
    return { ...(await comeBack(world, people, { file, moments })), backupSeconds }
  } finally {
    await people?.leave()
    await site.end()
  }
}

type Lost = { file: string; moments: Omit<Moments, 'back'> }

async function comeBack(
  world: World,
  people: People,
  { file, moments }: Lost,
): Promise<Omit<Round, 'backupSeconds'>> {
  const { folder, game, bank, options } = world
  const dataDir = join(folder, 'restored')
  await change(game, NO_FAULTS)
  const began = performance.now()
  const restored = await portal(world, dataDir, ['restore', file])
  const restoreSeconds = secondsSince(began)
  const openListed = restored.split('\n').filter((line) => / {2}(unknown|parked) {2}/.test(line)).length
  // What the bank booked, of which the restored books know a part.
  bank.transfers.push(...people.notified)
  for (const [, day = ''] of restored.matchAll(/npm run portal -- reconcile-providers (\S+)/g))
    await portal(world, dataDir, ['reconcile-providers', day], [0, 1])
  const site = await openSite(dataDir, world.environment)
  try {
    const back = Date.now()
    people.moveTo(site.urls)
    await people.tellAgain()
    await sleep(options.seconds * 1_000)
    await people.stop()
    return await withOwnerUrl(dataDir, async (url) => {
      const stopped = performance.now()
      await settle(url)
      const settleSeconds = secondsSince(stopped)
      const record = join(folder, 'record')
      await writeFile(record, await gameRecord(join(folder, 'game')))
      const compared = await portal(world, dataDir, ['compare-game', record], [0, 1])
      const listed = [
        ...compared.matchAll(/^([0-9a-f-]{36}) {2}not known here {2}\S+Z {2}\w+ {2}\d.* TCoin$/gm),
      ]
      const { verdict, forgottenGoods, credited, inReview } = await judgeRestored({
        url,
        gameDir: join(folder, 'game'),
        done: people.done,
        notified: people.notified,
        listed: listed.map(([, id]) => id as string),
        moments: { ...moments, back },
      })
      const openAtRestore = Number(/were open: (\d+)/.exec(restored)?.[1])
      const isComplete = openListed === Math.min(openAtRestore, 20) && forgottenGoods > 0 && openAtRestore > 0
      return {
        seed: options.seed,
        acts: people.done.length,
        goneAccounts: people.gone,
        openAtRestore,
        openListed,
        forgottenGoods,
        transfersCredited: credited,
        transfersInReview: inReview,
        restoreSeconds,
        settleSeconds,
        ...verdict,
        // A round in which nothing was open and nothing was lost proves nothing.
        isClean: faultsOf(verdict) === 0 && isComplete,
      }
    })
  } finally {
    await site.end()
  }
}

/** Runs a command of the portal; anything but these exit codes fails the run. */
async function portal(world: World, dataDir: string, words: string[], codes = [0]): Promise<string> {
  const environment = { ...world.environment, DATA_DIR: dataDir }
  const { code, output, errors } = await runCommand({ ownerUrl: '' }, words, environment)
  if (!codes.includes(code))
    throw new Error(`portal ${words.join(' ')} ended with ${code}:\n${output}${errors}`)
  return output
}

async function change(game: GameProcess, faults: FaultSettings): Promise<void> {
  const answer = await fetch(`${game.controlUrl}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })
  if (!answer.ok) throw new Error(`the faults were refused: ${await answer.text()}`)
}

async function settle(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const deadline = performance.now() + SETTLE_MS_MAX
    while (performance.now() < deadline) {
      const { rowCount } = await client.query(
        `SELECT FROM delivery WHERE state NOT IN ('delivered', 'refunded') LIMIT 1`,
      )
      if (rowCount === 0) return
      await sleep(250)
    }
  } finally {
    await client.end()
  }
}
