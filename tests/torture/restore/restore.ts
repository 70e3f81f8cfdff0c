import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FAULTS, NO_FAULTS } from '#game-server/faults.ts'
import { runCommand } from '#tests/support/processes.ts'
import { gameRecord } from '#tests/support/game-server.ts'
import { PAYMENT_ENVIRONMENT } from '#tests/support/payment-keys.ts'
import { killPostgres } from '../../harness/faults.ts'
import {
  DEMO_ENVIRONMENT,
  newFolder,
  openFleet,
  SEPAY_TOKEN,
  startBank,
  startGame,
  startPostgres,
  type Cleanup,
  type Fleet,
} from '../../harness/fleet.ts'
import { isVerified, settle, shown, withDatabase } from '../../harness/verification.ts'
import { secondsSince } from '../../harness/numbers.ts'
import { openCrowd, type Crowd } from './crowd.ts'
import { verifyRestored, type Moments } from './verification.ts'

export type RestoreOptions = {
  seed: number
  rounds: number
  players: number
  /** Before the backup, until the loss, and after the restore. */
  seconds: number
  /** Called with each round when it is over. */
  say?: (round: Round) => void
}

type Round = Awaited<ReturnType<typeof oneRound>>

const SETTLE_MS_MAX = 180_000
const FLEET = { webs: 2, workers: 2 }

/**
 * Everything of docs/runbooks/restore.md: players trade, an encrypted backup is taken meanwhile, all goes on, and then
 * processes and database are killed and lost. The backup is restored elsewhere, and the portal goes on with the same game
 * and bank, which know more than it does.
 */
export async function tortureRestore(options: RestoreOptions) {
  const rounds: Round[] = []
  for (let round = 0; round < options.rounds; round++) {
    const report = await oneRound({ ...options, seed: options.seed + round })
    rounds.push(report)
    options.say?.(report)
  }
  return { rounds, isClean: rounds.every(({ isClean }) => isClean) }
}

type World = Awaited<ReturnType<typeof openWorld>>

async function openWorld(cleanup: Cleanup, seed: number) {
  const folder = await newFolder(cleanup, 'restore')
  const game = await startGame(cleanup, join(folder, 'game'))
  const bank = await startBank(cleanup)
  const environment = {
    ...DEMO_ENVIRONMENT,
    ...PAYMENT_ENVIRONMENT,
    ...game.environment,
    DATABASE_URL: '',
    SEPAY_API_TOKEN: SEPAY_TOKEN,
    SEPAY_BASE_URL: bank.url,
    BACKUP_KEY: `the backup key of seed ${seed}`,
  }
  return { cleanup, folder, game, bank, environment }
}

async function oneRound({ seed, players, seconds }: RestoreOptions) {
  await using cleanup = new AsyncDisposableStack()
  const world = await openWorld(cleanup, seed)
  const { folder, game } = world
  const lostDir = join(folder, 'lost')
  const fleet = await startFleet(world, lostDir)
  const crowd = await openCrowd(fleet.urls, seed, players)
  cleanup.defer(() => crowd.leave())
  await game.change({ kinds: [...FAULTS], rate: 0.2, seed, slowMs: 1_500 })
  await sleep(seconds * 1_000)
  const file = join(folder, 'backup')
  const began = performance.now()
  const output = await portal(world, lostDir, ['backup', file])
  const backupSeconds = secondsSince(began)
  await sleep(seconds * 1_000)
  const moments = { backup: Date.parse(/ as of (\S+),/.exec(output)?.[1] ?? ''), lost: Date.now() }
  await killPostgres(lostDir)
  await Promise.all([...fleet.webs, ...fleet.workers].map((slot) => slot.kill()))
  await rm(lostDir, { recursive: true, force: true, maxRetries: 5 })
  const found = await comeBack(world, crowd, { file, moments, seconds })
  return { seed, backupSeconds, ...found }
}

/** With the PostgreSQL of their data directory. */
async function startFleet({ cleanup, environment }: World, dataDir: string): Promise<Fleet> {
  const fleet = await openFleet(cleanup, { dataDir, environment }, FLEET)
  await fleet.start()
  return fleet
}

type Lost = { file: string; moments: Omit<Moments, 'back'>; seconds: number }

async function comeBack(world: World, crowd: Crowd, { file, moments, seconds }: Lost) {
  const { folder, game, bank } = world
  const dataDir = join(folder, 'restored')
  await game.change(NO_FAULTS)
  const began = performance.now()
  const restored = await portal(world, dataDir, ['restore', file])
  const restoreSeconds = secondsSince(began)
  const openListed = restored.split('\n').filter((line) => / {2}(unknown|parked) {2}/.test(line)).length
  // What the bank booked, of which the restored books know a part.
  bank.transfers.push(...crowd.notified)
  for (const [, day = ''] of restored.matchAll(/npm run portal -- reconcile-providers (\S+)/g))
    await portal(world, dataDir, ['reconcile-providers', day], [0, 1])
  const fleet = await startFleet(world, dataDir)
  const back = Date.now()
  crowd.moveTo(fleet.urls)
  await crowd.notifyAgain()
  await sleep(seconds * 1_000)
  await crowd.stop()
  return withDatabase(await startPostgres(world.cleanup, dataDir), async (db) => {
    const settleSeconds = await settle(db, SETTLE_MS_MAX)
    const record = join(folder, 'record')
    await writeFile(record, await gameRecord(game.dataDir))
    const compared = await portal(world, dataDir, ['compare-game', record], [0, 1])
    const listed = [
      ...compared.matchAll(/^([0-9a-f-]{36}) {2}not known here {2}\S+Z {2}\w+ {2}\d.* TCoin$/gm),
    ].map(([, id]) => id as string)
    const { done, notified } = crowd
    const evidence = { gameDir: game.dataDir, done, notified, listed, moments: { ...moments, back } }
    const { verification, forgottenGoods, ...transfers } = await verifyRestored(db, evidence)
    const openAtRestore = Number(/were open: (\d+)/.exec(restored)?.[1])
    const isComplete = openListed === Math.min(openAtRestore, 20) && forgottenGoods > 0 && openAtRestore > 0
    return {
      // Newcomers whose account or activation came after the backup.
      goneAccounts: crowd.gone(),
      openAtRestore,
      openListed,
      // Of purchases that the backup did not have: all of them are listed by compare-game.
      forgottenGoods,
      ...transfers,
      restoreSeconds,
      settleSeconds,
      ...shown(verification),
      // A round in which nothing was open and nothing was lost proves nothing.
      isClean: isVerified(verification) && isComplete,
    }
  })
}

/** Runs a command of the portal; anything but these exit codes fails the run. */
async function portal(world: World, dataDir: string, words: string[], codes = [0]): Promise<string> {
  const environment = { ...world.environment, DATA_DIR: dataDir }
  const { code, output, errors } = await runCommand({ ownerUrl: '' }, words, environment)
  if (!codes.includes(code))
    throw new Error(`portal ${words.join(' ')} ended with ${code}:\n${output}${errors}`)
  return output
}
