import { spawn } from 'node:child_process'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LAST_BEFORE_BASELINE } from '#server/platform/db/migration-files.ts'
import type { ProgramGuard } from '../mutation/program/guard.ts'
import { PROGRAM_GUARDS } from '../mutation/program/index.ts'
import { openWorkingCopy, withReplaced } from '../mutation/working-copy.ts'

/** How a run is started: the usual one, and the one in which workers take over from each other. */
const USUAL = ['--seconds', '8', '--kills', '1', '--players', '4']
const DELIVERIES = ['--deliveries', '300', '--kills', '2', '--players', '10']

type Removal =
  | Omit<Extract<ProgramGuard, { file: string }>, 'tests'>
  | Omit<Extract<ProgramGuard, { sql: string }>, 'tests'>
type Link = { removal: Removal; run: readonly string[] }

function named(guard: string): Removal {
  const found = PROGRAM_GUARDS.find((one) => one.guard === guard)
  if (found === undefined) throw new Error(`no guard is called “${guard}”`)
  return found
}

const withoutKey = (table: string, key: string): Removal => ({
  guard: `${table} has its key ${key}`,
  sql: `ALTER TABLE ${table} DROP CONSTRAINT ${key};`,
})

const IDEMPOTENCY = 'src/server/platform/idempotency/idempotency.ts'

/** From the request to the ledger and on to the game: every guard that alone prevents an act from being done twice or not at all. */
const CHAIN: readonly Link[] = [
  { removal: named('an operation is done once for its key'), run: USUAL },
  {
    removal: {
      guard: 'the answer is stored with what was done',
      file: IDEMPOTENCY,
      text: 'response: JSON.stringify(done.answer)',
      instead: 'response: null',
    },
    run: USUAL,
  },
  { removal: named('a key is for one request'), run: USUAL },
  { removal: named('the ledger locks both accounts'), run: USUAL },
  { removal: withoutKey('ledger_transfer', 'ledger_transfer_one_per_source'), run: USUAL },
  { removal: withoutKey('ledger_entry', 'ledger_entry_one_side'), run: USUAL },
  {
    removal: {
      guard: 'a notification is stored once',
      file: 'src/server/modules/bank-inbox/intake/settlement.queries.ts',
      text: 'VALUES (${event.provider}, ${event.providerEventId}, ${signature},',
      instead: 'VALUES (${event.provider}, ${event.providerEventId + String(Math.random())}, ${signature},',
    },
    run: USUAL,
  },
  {
    removal: {
      guard: 'a transfer at the bank is one row',
      sql: `DROP INDEX bank_transaction_once;
CREATE INDEX bank_transaction_once ON bank_transaction (account_number, direction, bank_ref) WHERE bank_ref IS NOT NULL;`,
    },
    run: USUAL,
  },
  {
    removal: {
      guard: 'a purchase holds all of its price',
      file: 'src/server/modules/purchases/deliveries.service.ts',
      text: "amount,\n    source: { type: 'delivery', id },",
      instead: "amount: 1,\n    source: { type: 'delivery', id },",
    },
    run: USUAL,
  },
  { removal: named('a lease that was lost writes nothing'), run: DELIVERIES },
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
    for (const { removal, run } of CHAIN.filter(({ removal: { guard } }) => guard.includes(only))) {
      const { code, output } = await without(copy.folder, removal, () => torture(copy.folder, run))
      const reason = reasonOf(output)
      if (code === 0 || reason === null) survived.push(removal.guard)
      else caught[removal.guard] = reason
      say(
        `${code === 0 ? 'SURVIVED' : reason === null ? 'BROKEN  ' : 'caught  '} ${removal.guard}: ${reason ?? output.slice(-500)}`,
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
  const last =
    (await readdir(migrations))
      .filter((name) => name.endsWith('.sql'))
      .toSorted()
      .at(-1) ?? LAST_BEFORE_BASELINE.name
  const file = join(migrations, `${String(Number(last.slice(0, 4)) + 1).padStart(4, '0')}-without.sql`)
  await writeFile(file, `-- expand\n${removal.sql}\n`)
  try {
    return await work()
  } finally {
    await rm(file)
  }
}

function torture(folder: string, words: readonly string[]): Promise<{ code: number; output: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number; output: string }>()
  const child = spawn(process.execPath, ['tests/torture/main.ts', '--seed', '7', ...words], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.on('error', reject)
  child.on('close', (code) => resolve({ code: code ?? 1, output }))
  return promise
}

/** Which checks of the report found something; null where there is no report, so that nothing was proved. */
function reasonOf(output: string): string | null {
  const start = output.lastIndexOf('\n{\n')
  try {
    const report = JSON.parse(output.slice(start === -1 ? output.indexOf('{') : start)) as Report
    const figures = Object.entries({ ...report.books, ...report.reconcile })
    const texts = Object.entries({ wrongAnswers: report.wrongAnswers, missingKeys: report.missingKeys ?? [] })
    return (
      [
        ...texts.flatMap(([name, [first, ...others]]) =>
          first === undefined ? [] : `${name} ${1 + others.length} (${first.slice(0, 160)})`,
        ),
        ...figures.filter(([, count]) => count > 0).map((figure) => figure.join(' ')),
      ].join(', ') || null
    )
  } catch {
    return null
  }
}

/** Of the usual run, and of that of deliveries. */
type Report = {
  books: Record<string, number>
  reconcile: Record<string, number>
  wrongAnswers: string[]
  missingKeys?: string[]
}
