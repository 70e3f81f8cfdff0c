import { formatNumber } from '#contract/format.ts'
import { findUnnotified } from '#server/modules/reconciliation/index.ts'
import type { PortalDeps } from '../app/deps.ts'
import { Refusal } from '#server/platform/values/errors.ts'
import { sentenceOf } from '../start/start-failure.ts'
import { momentIn, printGameComparison } from './game.ts'
import { printLost } from './own-log.ts'
import { printGameRecord, printReconciliation, printTrailCheck } from './reports.ts'
import { UsageError } from './with-portal.ts'

type Print = (line: string) => void
type Given = { appUrl: string; rest: readonly string[] }

/** What one comparison said: what is missing, or why it could not be made. */
type Part = { name: string; run(print: Print): Promise<number> } | { name: string; without: string }

/**
 * Every comparison that can show what a failover lost, one after the other: the books alone are whole after a loss. Prints
 * what is missing, and one line about all; answers the exit code.
 */
export async function printAfterFailover(deps: PortalDeps, given: Given, print: Print): Promise<number> {
  const { since: moments = [], log = [], record = [] } = readSources(given.rest)
  const from = momentIn(moments[0])
  if (from === null || moments.length > 1) throw new UsageError()
  const parts = partsOf(deps, given.appUrl, { from, log, record })
  const faulty: string[] = []
  const left: string[] = []
  for (const part of parts) {
    if ('without' in part) {
      left.push(`${part.name} (${part.without})`)
      continue
    }
    print(`— ${part.name}`)
    if (!(await isWhole(part, print))) faulty.push(part.name)
  }
  const notCompared = left.length === 0 ? '' : `; not compared: ${left.join(', ')}`
  print(
    faulty.length === 0
      ? `after-failover: nothing is missing${notCompared}`
      : `after-failover: see above what is missing: ${faulty.join(', ')}${notCompared}`,
  )
  return faulty.length === 0 ? 0 : 1
}

const SOURCES = ['since', 'log', 'record'] as const

/** The words behind each option, of which a shell may make several out of one pattern. */
function readSources(words: readonly string[]): Partial<Record<(typeof SOURCES)[number], string[]>> {
  const given: Partial<Record<string, string[]>> = {}
  let last: string[] | undefined
  for (const word of words) {
    const name = SOURCES.find((one) => `--${one}` === word)
    if (name !== undefined) last = given[name] ??= []
    else if (last === undefined || word === '' || word.startsWith('--')) throw new UsageError()
    else last.push(word)
  }
  if (Object.values(given).some((values) => values?.length === 0)) throw new UsageError()
  return given
}

/** One comparison that cannot be made does not stop the others. */
async function isWhole({ run }: Extract<Part, { run: unknown }>, print: Print): Promise<boolean> {
  try {
    return (await run(print)) === 0
  } catch (error) {
    print(`could not be compared: ${error instanceof Refusal ? error.message : sentenceOf(error)}`)
    return false
  }
}

type Sources = { from: string; log: readonly string[]; record: readonly string[] }

function partsOf(deps: PortalDeps, appUrl: string, { from, log, record }: Sources): Part[] {
  const since = new Date(from)
  return [
    { name: 'books', run: (print) => printReconciliation(deps, appUrl, print) },
    { name: 'audit trail', run: (print) => printTrailCheck(deps, print) },
    deps.payments.lists.length === 0
      ? { name: 'providers’ lists', without: 'none is configured' }
      : { name: 'providers’ lists', run: (print) => printUnnotified(deps, since, print) },
    { name: 'game', run: (print) => printGameComparison(deps, ['--since', from], print) },
    record.length === 0
      ? { name: 'the game’s record', without: '--record <file>' }
      : { name: 'the game’s record', run: (print) => printRecords(deps, record, print) },
    log.length === 0
      ? { name: 'the portal’s log', without: '--log <file>' }
      : { name: 'the portal’s log', run: (print) => printLost(deps, { files: log, since }, print) },
  ]
}

async function printRecords(deps: PortalDeps, files: readonly string[], print: Print): Promise<number> {
  const codes: number[] = []
  for (const file of files) codes.push(await printGameRecord(deps, file, print))
  return Math.max(...codes)
}

/** Transfers that only the providers' lists reported since then; they are credited now, or wait in the inbox. */
async function printUnnotified(deps: PortalDeps, since: Date, print: Print): Promise<number> {
  const { found, failed } = await findUnnotified(deps, since)
  for (const { provider, eventId, ref, account, amount, bookedAt, status } of found)
    print(
      [
        provider,
        eventId,
        ref ?? 'no reference',
        account,
        bookedAt?.toISOString() ?? 'no time',
        `${formatNumber(Number(amount))} VND`,
        status,
      ].join('  '),
    )
  print(`${found.length} transfers were known to the lists alone, ${failed} lists could not be read`)
  return found.length + failed === 0 ? 0 : 1
}
