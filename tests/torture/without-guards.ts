import { execFile } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LAST_BEFORE_BASELINE } from '#server/platform/db/migration-files.ts'
import type { Verification } from '../harness/verification.ts'
import { PROGRAM_GUARDS } from '../mutation/program/index.ts'
import { openWorkingCopy, withReplaced } from '../mutation/working-copy.ts'

/** How a run is started: the usual one, and the one in which workers take over from each other. */
const USUAL = ['--seconds', '8', '--kills', '1', '--players', '4']
const DELIVERIES = ['--deliveries', '300', '--kills', '2', '--players', '10']

type Removal = { guard: string } & ({ file: string; text: string; instead: string } | { sql: string })

function named(guard: string): Removal {
  const found = PROGRAM_GUARDS.find((one) => one.guard === guard)
  if (found === undefined) throw new Error(`no guard is called “${guard}”`)
  return found
}

const withoutKey = (table: string, key: string): Removal => ({
  guard: `${table} has its key ${key}`,
  sql: `ALTER TABLE ${table} DROP CONSTRAINT ${key};`,
})

/** Found by workers that take over from each other. */
const LEASE = named('a lease that was lost writes nothing')

/** From the request to the ledger and on to the game: every guard that alone prevents an act from being done twice or not at all. */
const CHAIN: readonly Removal[] = [
  named('an operation is done once for its key'),
  {
    guard: 'the answer is stored with what was done',
    file: 'src/server/platform/idempotency/idempotency.ts',
    text: 'response: JSON.stringify(done.answer)',
    instead: 'response: null',
  },
  named('a key is for one request'),
  named('the ledger locks both accounts'),
  withoutKey('ledger_transfer', 'ledger_transfer_one_per_source'),
  withoutKey('ledger_entry', 'ledger_entry_one_side'),
  {
    guard: 'a notification is stored once',
    file: 'src/server/modules/bank-inbox/intake/settlement.queries.ts',
    text: 'VALUES (${event.provider}, ${event.providerEventId}, ${signature},',
    instead: 'VALUES (${event.provider}, ${event.providerEventId + String(Math.random())}, ${signature},',
  },
  {
    guard: 'a transfer at the bank is one row',
    file: 'src/server/modules/bank-inbox/intake/settlement.queries.ts',
    text: 'WHERE upper(e.bank_ref) = upper(${event.bankRef}) AND e.direction = ${event.direction}',
    instead: 'WHERE false AND e.direction = ${event.direction}',
  },
  {
    guard: 'a purchase holds all of its price',
    file: 'src/server/modules/purchases/deliveries.service.ts',
    text: "amount,\n    source: { type: 'delivery', id },",
    instead: "amount: 1,\n    source: { type: 'delivery', id },",
  },
  LEASE,
]

export type WithoutGuards = { isClean: boolean; caught: Record<string, string>; survived: string[] }

/**
 * Removes each guard of the chain alone, in a copy of the working tree, and runs the torture on it: the run has to fail, and
 * which of its checks failed is printed. Those whose names hold the text, where one is given.
 */
export async function runWithoutGuards(only: string, say: (line: string) => void): Promise<WithoutGuards> {
  const caught: Record<string, string> = {}
  const survived: string[] = []
  const copy = await openWorkingCopy()
  try {
    for (const removal of CHAIN.filter(({ guard }) => guard.includes(only))) {
      const words = removal === LEASE ? DELIVERIES : USUAL
      const { code, output, errors } = await without(copy.folder, removal, () => torture(copy.folder, words))
      const reason = reasonOf(output)
      if (code === 0 || reason === null) survived.push(removal.guard)
      else caught[removal.guard] = reason
      say(
        `${code === 0 ? 'SURVIVED' : reason === null ? 'BROKEN  ' : 'caught  '} ${removal.guard}: ${reason ?? (output + errors).slice(-500)}`,
      )
    }
    return { isClean: survived.length === 0, caught, survived }
  } finally {
    await copy.remove()
  }
}

async function without<Result>(
  folder: string,
  removal: Removal,
  work: () => Promise<Result>,
): Promise<Result> {
  if ('file' in removal) return withReplaced(folder, removal, work)
  const migrations = join(folder, 'migrations')
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql'))
  const last = names.toSorted().at(-1) ?? LAST_BEFORE_BASELINE.name
  const file = join(migrations, `${String(Number(last.slice(0, 4)) + 1).padStart(4, '0')}-without.sql`)
  await writeFile(file, `-- expand\n${removal.sql}\n`)
  return work().finally(() => rm(file))
}

const torture = (cwd: string, words: readonly string[]) =>
  new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    execFile(
      process.execPath,
      ['tests/torture/main.ts', '--seed', '7', ...words],
      { cwd, maxBuffer: Infinity },
      (error, output, errors) => resolve({ code: error === null ? 0 : 1, output, errors }),
    )
  })

/** What a report of the torture says, whichever it is. */
type Report = Pick<Verification, 'books' | 'reconcile'> & { wrong: string[]; lost?: number; doubled?: number }

/** Which checks of the report found something; null where there is no report, so that nothing was proved. */
function reasonOf(output: string): string | null {
  const start = output.lastIndexOf('\n{\n')
  try {
    const report = JSON.parse(output.slice(start === -1 ? output.indexOf('{') : start)) as Report
    const { lost = 0, doubled = 0, books, reconcile, wrong } = report
    const figures = Object.entries({ lost, doubled, ...books, ...reconcile }).filter(([, count]) => count > 0)
    const found = figures.map((figure) => figure.join(' '))
    const [first] = wrong
    if (first !== undefined) found.unshift(`wrong ${wrong.length} (${first.slice(0, 160)})`)
    return found.join(', ') || null
  } catch {
    return null
  }
}
