import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { formatNumber } from '#contract/format.ts'
import { countWaitingMail } from '#server/modules/mail/index.ts'
import { reopenApprovedDeletions } from '#server/modules/personal-data/index.ts'
import { askAboutOpenDeliveries, openDeliveries, sumOpenDeliveries } from '#server/modules/purchases/index.ts'
import { countWaitingOrders } from '#server/modules/recharge/index.ts'
import { dayOf } from '#server/modules/reconciliation/index.ts'
import { backupDatabase } from '#server/platform/backup/backup.ts'
import { fileOf, keepNewest, newestIn } from '#server/platform/backup/backup-folder.ts'
import { recordRun, type RunKind } from '#server/platform/backup/backup-run.ts'
import { restoreDatabase } from '#server/platform/backup/restore.ts'
import type { Log } from '#server/platform/log/log.ts'
import { systemClock } from '#server/platform/values/clock.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import type { PortalDeps } from '../app/deps.ts'
import type { Config } from '../config/config.ts'
import { fillDatabase, fillStatistics } from '../filling/index.ts'
import type { Plan } from '../filling/plan.ts'
import { withOwnerUrl } from '../start/database.ts'
import { printReconciliation, printTrailCheck } from './reports.ts'
import { onPortal, UsageError } from './with-portal.ts'

type OpenDelivery = ReturnType<typeof openDeliveries> extends AsyncGenerator<infer Row> ? Row : never

const DELIVERIES_SHOWN = 20
const DAYS_SHOWN = 7
const DAY_MS = 86_400_000

export const openDeliveryLine = ({
  id,
  created_at,
  account,
  character_name,
  amount,
  state,
}: OpenDelivery): string =>
  [
    id,
    created_at.toISOString(),
    state.padEnd(7),
    account,
    character_name,
    `${formatNumber(Number(amount))} TCoin`,
  ].join('  ')

/** What an operator has to check after a restore, and by which commands, in order. */
export async function printAfterRestore(
  { db, clock }: Pick<PortalDeps, 'db' | 'clock'>,
  moment: string,
  print: (line: string) => void,
): Promise<void> {
  const { count, amount } = await sumOpenDeliveries(db)
  print(
    `deliveries that were open: ${count}, ${formatNumber(amount)} TCoin; the worker asks the game about each before it sends it`,
  )
  let shown = 0
  for await (const delivery of openDeliveries(db)) {
    if (shown++ === DELIVERIES_SHOWN) break
    print(`  ${openDeliveryLine(delivery)}`)
  }
  if (count > DELIVERIES_SHOWN) print('  … all of them: npm run portal -- open-deliveries')
  print(`orders that waited for money: ${await countWaitingOrders(db)}; their transfers are found as below`)
  print(`mails that waited and may be sent a second time: ${await countWaitingMail(db)}`)
  print(
    `what happened after ${moment} is not in this database; docs/runbooks/restore.md says what it means. Bank transfers since then:`,
  )
  const days = daysBetween(new Date(moment), clock.now())
  for (const day of days.slice(0, DAYS_SHOWN)) print(`  npm run portal -- reconcile-providers ${day}`)
  if (days.length > DAYS_SHOWN) print(`  … and each day up to ${days.at(-1)}`)
  print('goods that the game delivered since then, when its record is in a file (docs/runbooks/restore.md):')
  print('  npm run portal -- compare-game <file>')
}

function daysBetween(from: Date, to: Date): string[] {
  const days: string[] = []
  for (let at = from.getTime(); dayOf(new Date(at)) <= dayOf(to); at += DAY_MS) days.push(dayOf(new Date(at)))
  return days
}

/** More than any game has; a mistyped number is found before it fills the disk. */
const PLAYERS_MAX = 5_000_000
const ENTRIES_MAX = 1_000

export function fillOptions(words: string[]): Omit<Plan, 'now'> {
  const option = { type: 'string' } as const
  try {
    const { values } = parseArgs({ args: words, options: { players: option, entries: option, seed: option } })
    return {
      players: wholeNumber(values.players, PLAYERS_MAX),
      entries: wholeNumber(values.entries, ENTRIES_MAX),
      seed: wholeNumber(values.seed ?? '1', 1_000_000_000),
    }
  } catch (error) {
    if (error instanceof SetupProblem) throw error
    throw new UsageError()
  }
}

function wholeNumber(text: string | undefined, most: number): number {
  if (text === undefined || !/^[1-9]\d{0,9}$/.test(text)) throw new UsageError()
  if (Number(text) > most) throw new SetupProblem(`${text} is more than fill makes: give at most ${most}`)
  return Number(text)
}

type CommandContext = { config: Config; log: Log; rest: string[]; print(line: string): void }

/** A command on the database as it is, before a start would migrate it or make anything in it. */
export type DatabaseCommand = {
  args: string
  does: string
  runAsItIs(context: CommandContext): Promise<number>
}

export const databaseCommands: Record<string, DatabaseCommand> = {
  backup: {
    args: '<file> | --into <folder> [--keep <n>]',
    does: 'writes the whole database to a new file while the portal works; BACKUP_KEY encrypts it. --into: as the timer does, and keeps the newest n (14)',
    runAsItIs: backup,
  },
  restore: {
    args: '<file> [--unencrypted]',
    does: 'fills an empty database with a backup, then runs reconcile and audit verify',
    runAsItIs: restore,
  },
  'restore-test': {
    args: '<folder>',
    does: 'restores the newest backup of a folder into a database of its own, with reconcile and audit verify, and removes it',
    runAsItIs: restoreTest,
  },
  fill: {
    args: '--players <n> --entries <n> [--seed <n>]',
    does: 'in a demo: fills an empty database with so many players with so many lines in their statements each',
    runAsItIs: fill,
  },
}

const seconds = (from: number) => `${((performance.now() - from) / 1_000).toFixed(1)} s`
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

/** Of backups by the timer. */
const KEEP = '14'
const KEEP_MAX = 10_000

async function backup({ config, log, rest, print }: CommandContext): Promise<number> {
  const { file, folder, keep } = backupOptions(rest)
  if (folder === undefined) return writeBackup({ config, log, print }, file)
  return withOwnerUrl(config, log, (ownerUrl) =>
    recorded(ownerUrl, 'backup', async () => {
      const code = await writeBackup({ config, log, print }, fileOf(folder, systemClock.now()))
      print(`${await keepNewest(folder, keep, systemClock.now())} backups are in ${folder}`)
      return code
    }),
  )
}

export function backupOptions(words: string[]): { file: string; folder: string | undefined; keep: number } {
  const option = { type: 'string' } as const
  try {
    const options = { into: option, keep: { ...option, default: KEEP } }
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true })
    const [file = '', ...more] = positionals
    const isOne = (file === '') !== (values.into === undefined)
    if (!isOne || more.length > 0 || (values.into === undefined && words.length > 1)) throw new UsageError()
    return { file, folder: values.into, keep: wholeNumber(values.keep, KEEP_MAX) }
  } catch (error) {
    throw error instanceof SetupProblem ? error : new UsageError()
  }
}

/** What the timers run is recorded in the portal's database, where an alarm sees a failure and its absence. */
async function recorded(ownerUrl: string, kind: RunKind, work: () => Promise<number>): Promise<number> {
  try {
    const code = await work()
    await recordRun(ownerUrl, kind, code === 0 ? null : 'reconcile or audit verify found a difference')
    return code
  } catch (error) {
    // The first error is what matters; without the database the alarm rings for the run that is missing.
    await recordRun(ownerUrl, kind, error).catch(() => {})
    throw error
  }
}

type Writing = Pick<CommandContext, 'config' | 'log' | 'print'>

async function writeBackup({ config, log, print }: Writing, file: string): Promise<number> {
  const { backupKey: key, isDemo, dataDir } = config
  const began = performance.now()
  const made = await withOwnerUrl(config, log, (ownerUrl) => backupDatabase(ownerUrl, { file, key }))
  print(
    `${file}: ${made.tables} tables, ${made.rows} rows as of ${made.moment}, ` +
      `${megabytes(made.bytes)} in ${seconds(began)}`,
  )
  print(
    key === null
      ? 'not encrypted: whoever has the file has every player and the key of the second factors; BACKUP_KEY encrypts it'
      : 'encrypted: without BACKUP_KEY nobody can read it, so keep the key, at another place than the file',
  )
  print(
    isDemo
      ? `not in it, keep it besides: ${dataDir}/secrets.json`
      : 'not in it, keep it besides: the environment with its secrets',
  )
  return 0
}

/** Takes a file without encryption although `BACKUP_KEY` is set. */
const UNENCRYPTED = '--unencrypted'

async function restore({ config, log, rest, print }: CommandContext): Promise<number> {
  const [file, ...more] = rest.filter((word) => word !== UNENCRYPTED)
  if (!file || more.length > 0) throw new UsageError()
  return restoreFile({ config, log, print }, file, {
    isUnencryptedTaken: rest.includes(UNENCRYPTED),
    afterwards: printAfterRestore,
  })
}

type Restoring = { isUnencryptedTaken: boolean; afterwards?: typeof printAfterRestore }

async function restoreFile(
  { config, log, print }: Writing,
  file: string,
  { isUnencryptedTaken, afterwards }: Restoring,
): Promise<number> {
  const began = performance.now()
  const restored = await withOwnerUrl(config, log, (ownerUrl) =>
    restoreDatabase({
      ownerUrl,
      log,
      file,
      key: config.backupKey,
      isUnencryptedTaken,
      mode: config.isDemo ? 'demo' : 'live',
      async finish(client) {
        await askAboutOpenDeliveries(client)
        await reopenApprovedDeletions(client)
      },
    }),
  )
  print(`${restored.tables} tables, ${restored.rows} rows as of ${restored.moment}, in ${seconds(began)}`)
  // The pooler may have no way to this database yet.
  return onPortal({ ...config, poolerUrl: null }, log, async (deps, appUrl) => {
    const books = await printReconciliation(deps, appUrl, print)
    const trail = await printTrailCheck(deps, print)
    await afterwards?.(deps, restored.moment, print)
    return Math.max(books, trail)
  })
}

/** The database is an embedded one, so that it needs no right on the portal's own server and takes nothing from it. */
async function restoreTest({ config, log, rest: [folder, ...more], print }: CommandContext): Promise<number> {
  if (!folder || more.length > 0) throw new UsageError()
  const dataDir = join(config.dataDir, 'restore-test')
  const own = { ...config, dataDir, databaseUrl: null, poolerUrl: null, replicaUrl: null }
  return withOwnerUrl(config, log, (ownerUrl) =>
    recorded(ownerUrl, 'restore-test', async () => {
      const file = await newestIn(folder)
      print(file)
      // One that was killed left its own.
      await rm(dataDir, { recursive: true, force: true })
      try {
        return await restoreFile({ config: own, log, print }, file, { isUnencryptedTaken: false })
      } finally {
        await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
      }
    }),
  )
}

async function fill({ config, log, rest, print }: CommandContext): Promise<number> {
  const { players, entries, seed } = fillOptions(rest)
  if (!config.isDemo)
    throw new SetupProblem(
      'fill writes made-up players, who all have one password: use it with DEMO=1, on a database of its own',
    )
  const began = performance.now()
  return onPortal(config, log, (deps) =>
    withOwnerUrl(config, log, async (ownerUrl) => {
      const filled = await fillDatabase(deps, ownerUrl, { players, entries, seed })
      const rowsAfter = seconds(began)
      await fillStatistics(deps)
      print(
        `${players} players with ${entries} entries each: ${filled.rows} rows, ${megabytes(filled.bytes)} in ${rowsAfter}, with the figures of every hour in ${seconds(began)}`,
      )
      print(
        `sign in as ${filled.username} with ${filled.password}, as every other one; reconcile checks the books`,
      )
    }),
  )
}
