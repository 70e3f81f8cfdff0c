import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { once } from 'node:events'
import { formatNumber } from '#contract/format.ts'
import {
  importAccounts,
  planImport,
  type AccountSource,
  type LeftBehind,
  type Plan,
  type Reason,
} from '#server/modules/account-import/index.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/platform/values/csv.rules.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import type { PortalDeps } from '../app/deps.ts'
import { withGameTable } from './game-table.ts'

const REASONS: Record<Reason, string> = {
  'name-length': 'the name has fewer than 5 or more than 20 characters',
  'name-characters': 'the name has other characters than letters and digits',
  'doubled-name': 'another account has the name, perhaps in other capitals',
  'staff-name': 'the name is reserved for staff',
  'name-registered': 'a player of the portal has the name',
  'erased-name': 'the name belonged to an account that was erased here',
  'empty-password': 'there is no password',
  'password-length': 'the login takes passwords of 2 to 20 characters',
  'unreadable-password': 'the password is not of the form that the file names',
  'costly-password': 'the bcrypt hash has a cost above 14',
  'unreadable-balance': 'the balance is no amount',
  'key-of-another-account': 'the key was imported as an account of another name',
}

type Options = { file: string; isDryRun: boolean; report: string | null }
type Print = (line: string) => void

/** The words behind the command; null when they are not as they have to be. */
export function readImportOptions(words: readonly string[]): Options | null {
  const options: Options = { file: '', isDryRun: false, report: null }
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--dry-run') options.isDryRun = true
    else if (word === '--report') options.report = rest.shift() ?? ''
    else if (word.startsWith('-') || options.file !== '') return null
    else options.file = word
  }
  return options.file === '' || options.report === '' ? null : options
}

/** Imports the accounts of a game and prints what came over and what did not. Answers the exit code. */
export async function printImport(deps: PortalDeps, options: Options, print: Print): Promise<number> {
  const report = options.report === null ? null : await openReport(options.report)
  try {
    return await withGameTable(options.file, async (source) => {
      const plan = await planImport(deps, source, (account) => report?.write(lineOf(account)))
      printPlan(plan, print)
      if (options.isDryRun) print('nothing was changed (--dry-run)')
      return options.isDryRun || plan.ready === 0 ? 0 : runImport(deps, { source, plan }, print)
    })
  } finally {
    await closeReport(report)
  }
}

function printPlan({ ready, activated, banned, coins, already, left }: Plan, print: Print): void {
  print(`${formatNumber(ready)} accounts can come over, with ${formatNumber(coins)} TCoin`)
  if (ready > 0) print(`  of them ${formatNumber(activated)} activated, ${formatNumber(banned)} banned`)
  print(`${formatNumber(already)} came over before`)
  const total = [...left.values()].reduce((sum, count) => sum + count, 0)
  print(`${formatNumber(total)} stay behind`)
  for (const [reason, count] of [...left].toSorted(([, one], [, other]) => other - one))
    print(`  ${formatNumber(count).padStart(9)}  ${REASONS[reason]}`)
}

async function runImport(
  deps: PortalDeps,
  { source, plan }: { source: AccountSource; plan: Plan },
  print: Print,
): Promise<number> {
  let stoppedAt: number | null = null
  const stop = () => {
    // npm sends Ctrl-C on to a program that has it already.
    if (stoppedAt !== null && performance.now() - stoppedAt > SAME_SIGNAL_MS) process.exit(130)
    stoppedAt ??= performance.now()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    const progress = progressLines(plan.ready, print)
    const isStopping = () => stoppedAt !== null
    const imported = await importAccounts(deps, { source, plan, progress, isStopping })
    print(`${formatNumber(imported)} accounts came over`)
    if (!isStopping()) return 0
    print('stopped; the same command goes on where it stopped')
    return 1
  } finally {
    process.removeListener('SIGINT', stop)
    process.removeListener('SIGTERM', stop)
  }
}

const PROGRESS_MS = 5_000
const SAME_SIGNAL_MS = 1_000

function progressLines(total: number, print: Print): (imported: number) => void {
  const began = performance.now()
  let printedAt = began
  return (imported) => {
    const now = performance.now()
    if (now - printedAt < PROGRESS_MS || imported === 0) return
    printedAt = now
    const perSecond = imported / ((now - began) / 1_000)
    const minutes = Math.ceil((total - imported) / perSecond / 60)
    print(
      `${formatNumber(imported)} of ${formatNumber(total)}, ${formatNumber(Math.round(perSecond))} a second, about ${minutes} min left`,
    )
  }
}

const lineOf = ({ key, name, reason }: LeftBehind) => csvLine([key, name, reason, REASONS[reason]])

/** A new file that only its owner may read: it names people. */
async function openReport(file: string): Promise<WriteStream> {
  const report = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  try {
    await once(report, 'open')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SetupProblem(
      code === 'EEXIST'
        ? `there is already something at ${file}; name another file`
        : `${file} cannot be written (${code}); name another file`,
    )
  }
  report.write(BYTE_ORDER_MARK + csvLine(['key', 'name', 'reason', 'meaning']))
  return report
}

async function closeReport(report: WriteStream | null): Promise<void> {
  if (report === null) return
  report.end()
  await finished(report)
}
