import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { once } from 'node:events'
import { formatNumber } from '#contract/format.ts'
import {
  importAccounts,
  namesInUse,
  planImport,
  underNewNames,
  type AccountSource,
  type LeftBehind,
  type NewNames,
  type Plan,
  type Reason,
} from '#server/modules/account-import/index.ts'
import { BYTE_ORDER_MARK, csvLine } from '#server/platform/values/csv.rules.ts'
import { SetupProblem } from '#server/platform/values/errors.ts'
import type { PortalDeps } from '../app/deps.ts'
import { withGameTable } from './game-table.ts'
import { readNewNames, writeRenames } from './new-names.ts'

type Meaning = { meaning: string; next: string }

const RENAME =
  'keep the proposed new_name or write another, give this file to --rename, and tell the player the new name'

const because = (meaning: string, next: string): Meaning => ({ meaning, next })

/** In a report `next` is the operator's next step. */
const REASONS: Record<Reason, Meaning> = {
  'name-length': because('the name has fewer than 5 or more than 20 characters', RENAME),
  'name-characters': because('the name has other characters than letters and digits', RENAME),
  'identical-name': because(
    'another account has the identical name',
    `empty new_name of the one that is to keep the name, as a rule the one that is played; the others: ${RENAME}`,
  ),
  'doubled-name': because(
    'another account has the name in other capitals',
    `empty new_name of the one that is to keep the name, as a rule the one that is played; the others: ${RENAME}`,
  ),
  'staff-name': because('the name is reserved for staff', RENAME),
  'name-registered': because(
    'a player of the portal has the name',
    `where it is not the same person: ${RENAME}; otherwise empty new_name, and the account of the portal stays`,
  ),
  'erased-name': because('the name belonged to an account that was erased here', RENAME),
  'empty-password': because(
    'there is no password',
    'set a password for the account in the game and import again',
  ),
  'password-length': because(
    'the login takes passwords of 2 to 20 characters',
    'set a password of 6 to 20 characters in the game, tell the player and import again',
  ),
  'unreadable-password': because(
    'the password is not of the form that the file names',
    'take import.passwords out of the file, or set a password for the account in the game, and import again',
  ),
  'costly-password': because(
    'the bcrypt hash has a cost above 14',
    'set a password for the account in the game and import again',
  ),
  'unreadable-balance': because(
    'the balance is no amount',
    'set the balance in the game to 0 or to what the player has, and import again',
  ),
  'key-of-another-account': because(
    'the key was imported as an account of another name',
    'give the file with its new name to --rename again, or name the account in the game as on the portal',
  ),
}

type Options = { file: string; isDryRun: boolean; report: string | null; rename: string | null }
type Print = (line: string) => void

/** The words behind the command; null when they are not as they have to be. */
export function readImportOptions(words: readonly string[]): Options | null {
  const options: Options = { file: '', isDryRun: false, report: null, rename: null }
  const rest = [...words]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--dry-run') options.isDryRun = true
    else if (word === '--report') options.report = rest.shift() ?? ''
    else if (word === '--rename') options.rename = rest.shift() ?? ''
    else if (word.startsWith('-') || options.file !== '') return null
    else options.file = word
  }
  return [options.file, options.report, options.rename].includes('') ? null : options
}

/** Imports the accounts of a game and prints what came over and what did not. Answers the exit code. */
export async function printImport(deps: PortalDeps, options: Options, print: Print): Promise<number> {
  const newNames = options.rename === null ? new Map<string, string>() : await readNewNames(options.rename)
  const report = options.report === null ? null : await openReport(options.report)
  try {
    return await withGameTable(options.file, async (table) => {
      const source = underNewNames(table, newNames)
      const leftBehind = (account: LeftBehind) => report?.write(lineOf(account))
      const plan = await planImport(deps, { source, newNames, leftBehind })
      printPlan(plan, print)
      if (options.isDryRun) {
        print('nothing was changed (--dry-run)')
        return 0
      }
      const code = plan.ready === 0 ? 0 : await runImport(deps, { source, plan }, print)
      const inUse = await namesInUse(deps, source, newNames)
      if (inUse.size > 0) await printRenames(`${options.rename}.sql`, { source, newNames: inUse }, print)
      return code
    })
  } finally {
    await closeReport(report)
  }
}

async function printRenames(
  file: string,
  { source, newNames }: { source: AccountSource; newNames: NewNames },
  print: Print,
): Promise<void> {
  await writeRenames(file, { table: source.name, ...source.columns }, newNames)
  print(
    `run ${file} in the game's database now: until then it knows ${accountsText(newNames.size)} by their old names`,
  )
}

function printPlan(
  { ready, activated, banned, coins, already, left, ...contacts }: Plan,
  print: Print,
): void {
  print(`${accountsText(ready)} can come over, with ${formatNumber(coins)} TCoin`)
  if (ready > 0) print(`  of them ${formatNumber(activated)} activated, ${formatNumber(banned)} banned`)
  if (contacts.hinted > 0)
    print(`  ${formatNumber(contacts.hinted)} with a phone or an address, which they still have to prove`)
  if (contacts.unreadableHints > 0)
    print(`  ${formatNumber(contacts.unreadableHints)} phones and addresses cannot be read and are left out`)
  print(`${formatNumber(already)} came over before`)
  const total = [...left.values()].reduce((sum, count) => sum + count, 0)
  print(`${formatNumber(total)} stay behind`)
  for (const [reason, count] of [...left].toSorted(([, one], [, other]) => other - one))
    print(`  ${formatNumber(count).padStart(9)}  ${REASONS[reason].meaning}`)
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
    print(`${accountsText(imported)} came over`)
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

function lineOf({ key, name, nameInGame, newName, reason }: LeftBehind): string {
  const { meaning, next } = REASONS[reason]
  // Of a name that was chosen and did not fit, the report says which it was.
  const why = nameInGame === undefined ? meaning : `${name}: ${meaning}`
  return csvLine([key, nameInGame ?? name, reason, why, next, newName])
}

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
  report.write(BYTE_ORDER_MARK + csvLine(['key', 'name', 'reason', 'meaning', 'next', 'new_name']))
  return report
}

async function closeReport(report: WriteStream | null): Promise<void> {
  if (report === null) return
  report.end()
  await finished(report)
}

const accountsText = (count: number) => `${formatNumber(count)} ${count === 1 ? 'account' : 'accounts'}`
