import { askAgainAboutDeletions } from '#server/modules/personal-data/index.ts'
import { askAboutOpenDeliveries } from '#server/modules/purchases/index.ts'
import { printReconciliation, printTrailCheck } from './verification.ts'
import type { Config } from '../config/config.ts'
import { withOwnerUrl } from '../start/database.ts'
import { fillDatabase, fillOptions, fillStatistics } from '../filling/index.ts'
import { onPortal } from './with-portal.ts'
import { printAfterRestore } from './after-restore.ts'
import { backupDatabase } from '../platform/backup/backup.ts'
import { restoreDatabase } from '../platform/backup/restore.ts'
import type { Log } from '../platform/log/log.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import { UsageError } from './usage-error.ts'

type Keeping = { config: Config; log: Log; rest: string[]; print(line: string): void }

/** A command on the database as it is, before a start would migrate it or make anything in it. */
export type KeepingCommand = {
  args: string
  does: string
  runAsItIs(keeping: Keeping): Promise<number>
}

export const keepingCommands: Record<string, KeepingCommand> = {
  backup: {
    args: '<file>',
    does: 'writes the whole database to a new file while the portal works; BACKUP_KEY encrypts it',
    runAsItIs: backup,
  },
  restore: {
    args: '<file> [--unencrypted]',
    does: 'fills an empty database with a backup, then runs reconcile and audit verify',
    runAsItIs: restore,
  },
  fill: {
    args: '--players <n> --entries <n> [--seed <n>]',
    does: 'in a demo: fills an empty database with so many players with so many lines in their statements each',
    runAsItIs: fill,
  },
}

const seconds = (from: number) => `${((performance.now() - from) / 1_000).toFixed(1)} s`
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`

async function backup({ config, log, rest: [file], print }: Keeping): Promise<number> {
  if (!file) throw new UsageError()
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

async function restore({ config, log, rest, print }: Keeping): Promise<number> {
  const [file, ...more] = rest.filter((word) => word !== UNENCRYPTED)
  if (!file || more.length > 0) throw new UsageError()
  const began = performance.now()
  const restored = await withOwnerUrl(config, log, (ownerUrl) =>
    restoreDatabase({
      ownerUrl,
      log,
      file,
      key: config.backupKey,
      isUnencryptedTaken: rest.includes(UNENCRYPTED),
      mode: config.isDemo ? 'demo' : 'live',
      async finish(client) {
        await askAboutOpenDeliveries(client)
        await askAgainAboutDeletions(client)
      },
    }),
  )
  print(`${restored.tables} tables, ${restored.rows} rows as of ${restored.moment}, in ${seconds(began)}`)
  return onPortal(config, log, async (deps, appUrl) => {
    const books = await printReconciliation(deps, appUrl, print)
    const trail = await printTrailCheck(deps, print)
    await printAfterRestore(deps, restored.moment, print)
    return Math.max(books, trail)
  })
}

async function fill({ config, log, rest, print }: Keeping): Promise<number> {
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
