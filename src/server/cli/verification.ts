import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { verifyAndKeep } from '#server/modules/audit/index.ts'
import { formatNumber } from '#contract/format.ts'
import { differencesWithGame, type RecordDifference } from '#server/modules/purchases/index.ts'
import { reconcileAndKeep } from '#server/modules/reconciliation/index.ts'
import type { PortalDeps } from '../app/deps.ts'
import { openDatabase } from '../platform/db/database.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'

type Print = (line: string) => void

const REPORT_TIMEOUT_MS = 600_000

/** R1–R12, a row each, kept for the console; answers the exit code. */
export async function printReconciliation(
  { log }: Pick<PortalDeps, 'log'>,
  appUrl: string,
  print: Print,
): Promise<number> {
  const db = openDatabase({ url: appUrl, log, connectionsMax: 1, statementTimeoutMs: REPORT_TIMEOUT_MS })
  try {
    const rows = await reconcileAndKeep(db)
    for (const row of rows) print(`${row.check.padEnd(4)}${String(row.count).padStart(8)}  ${row.meaning}`)
    return rows.every((row) => row.count === 0) ? 0 : 1
  } finally {
    await db.destroy()
  }
}

/** The chains of the audit trail, with the first place that does not fit; answers the exit code. */
export async function printTrailCheck({ db }: Pick<PortalDeps, 'db'>, print: Print): Promise<number> {
  const { first } = await verifyAndKeep(db)
  const place = first?.fault === 'seal' ? 'seal' : 'row'
  print(
    first
      ? `the audit trail is broken at ${place} ${first.seq} (${first.fault})`
      : 'the audit trail is whole',
  )
  return first ? 1 : 0
}

/** A row for each delivery that the game applied and the portal does not count as delivered or open; answers the exit code. */
export async function printGameRecord(
  { db }: Pick<PortalDeps, 'db'>,
  file: string,
  print: Print,
): Promise<number> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  let count = 0
  let coins = 0
  try {
    for await (const difference of differencesWithGame(db, lines)) {
      count++
      coins += difference.amount ?? 0
      print(rowOf(difference))
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!/^E[A-Z]+$/.test(code ?? '')) throw error
    throw new SetupProblem(`${file} cannot be read (${code}): name a file with one delivery a line`, {
      cause: error,
    })
  }
  print(`${count} deliveries of the game are not counted here, for ${formatNumber(coins)} TCoin`)
  return count === 0 ? 0 : 1
}

const rowOf = ({ id, found, at, account, goods, amount }: RecordDifference): string =>
  [
    id,
    found.padEnd(14),
    at ?? 'no time',
    account ?? 'no player',
    goods ?? 'no goods',
    amount === null ? 'no price' : `${formatNumber(amount)} TCoin`,
  ].join('  ')
