import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readMigrations } from '#server/platform/db/migration-files.ts'
import { root } from './checkout-copy.ts'

type Source = { path: string; text: string }

/** Functions of baseline and migrations that a query can call, with the tables they write. Triggers are called by no query. */
async function sqlFunctions(): Promise<Map<string, string[]>> {
  const functions = new Map<string, string[]>()
  for (const { sql } of await readMigrations()) {
    for (const [, called, head, body] of sql.matchAll(
      /CREATE (?:OR REPLACE )?FUNCTION (\w+)\((.*?)AS \$\$(.*?)\$\$/gs,
    )) {
      if (!/RETURNS trigger/.test(head ?? '')) functions.set(called ?? '', tablesWritten(body ?? ''))
    }
  }
  return functions
}

/** The tables that Kysely or plain SQL writes in a text. Locks (`FOR UPDATE`) and `DO UPDATE SET` name no table. */
function tablesWritten(text: string): string[] {
  const code = text.replace(/^\s*(\/\/|--|\*|\/\*).*$/gm, '')
  const calls = code.matchAll(/\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*['"]([\w.]+)/g)
  const sql = code.matchAll(
    /\b(?:INSERT INTO|MERGE INTO|DELETE FROM|TRUNCATE(?: TABLE)?|(?<!FOR |NO KEY |DO )UPDATE)(?: ONLY)?\s+(?!SET\b|OF\b|SKIP\b)([a-z_][a-z_.]*)/g,
  )
  return [...calls, ...sql].map(([, table]) => table ?? '')
}

/** A module's name, or the folder of the process that no module is: platform, seeding. */
const ownerOf = (path: string) => /^src\/server\/(?:modules\/)?([\w-]+)/.exec(path)?.[1] ?? path

function writersOf(sources: readonly Source[], functions: Map<string, string[]>): Map<string, Set<string>> {
  const writers = new Map<string, Set<string>>()
  for (const { path, text } of sources) {
    const called = [...functions].flatMap(([name, tables]) =>
      new RegExp(`\\b${name}\\(`).test(text) ? tables : [],
    )
    for (const table of [...tablesWritten(text), ...called]) {
      writers.set(table, (writers.get(table) ?? new Set()).add(ownerOf(path)))
    }
  }
  return writers
}

const sharedTables = (writers: Map<string, Set<string>>) =>
  [...writers].flatMap(([table, owners]) =>
    owners.size > 1 ? [`${table}: ${[...owners].sort().join(', ')}`] : [],
  )

async function serverSources(): Promise<Source[]> {
  const files = await readdir(join(root, 'src/server'), { recursive: true })
  const product = files.filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|testing\/|\.gen\.ts$/.test(file),
  )
  return Promise.all(
    product.map(async (file) => {
      const path = `src/server/${file}`
      return { path, text: await readFile(join(root, path), 'utf8') }
    }),
  )
}

test('each table is written by one module', async () => {
  const writers = writersOf(await serverSources(), await sqlFunctions())
  expect(sharedTables(writers)).toEqual([])
  // Read at all, in all three ways in which a module writes.
  expect([...(writers.get('bank_transaction') ?? [])]).toEqual(['bank-inbox'])
  expect([...(writers.get('payment_event') ?? [])]).toEqual(['bank-inbox'])
  expect([...(writers.get('payment_order') ?? [])]).toEqual(['recharge'])
  expect([...(writers.get('ledger_transfer') ?? [])]).toEqual(['wallet'])
})

test.each([
  ["await tx.updateTable('payment_event').set({})", 'payment_event: bank-inbox, posts'],
  ['sql`WITH x AS (UPDATE bank_transaction b SET state = 1) SELECT`', 'bank_transaction: bank-inbox, posts'],
  ['sql`INSERT INTO payment_order (id) VALUES (1)`', 'payment_order: posts, recharge'],
  ['sql`DELETE FROM mail_outbox`', 'mail_outbox: mail, posts'],
  ['sql`SELECT ledger_open_account(1)`', 'ledger_account: posts, wallet'],
])('a second writer is found: %s', async (text, shared) => {
  const planted = { path: 'src/server/modules/posts/planted.queries.ts', text }
  const sources = [...(await serverSources()), planted]
  expect(sharedTables(writersOf(sources, await sqlFunctions()))).toEqual([shared])
})

/** Who besides bank-inbox reads what banks moved, and why that is no call of its service. */
const READERS_OF_BANK_TRANSACTIONS: Record<string, string> = {
  alarms: 'counts what waits, by one statement for all alarms',
  audit: 'shows the subjects of its rows by name',
  milestones: 'adds up what a player recharged in the transaction that gives for it',
  invitations: 'compares a first recharge and its payer with those of other players, in one statement each',
  players: 'joins the transfers of a player into lists for operators',
  promotions: 'knows who recharges for the first time, and what terms would have cost, in one statement each',
  'setup-guide': 'looks for the first credit of each account, by one statement for all steps',
  statistics: 'adds up over tables in one statement',
  wallet: 'reconciles the ledger with what the banks moved',
}

/** Whether Kysely or plain SQL reads this table in a text. */
function reads(table: string, text: string): boolean {
  const code = text.replace(/^\s*(\/\/|--|\*|\/\*).*$/gm, '')
  return new RegExp(
    `\\b(?:FROM|JOIN|USING)\\s+(?:ONLY\\s+)?${table}\\b|(?:selectFrom|[jJ]oin(?:Lateral)?)\\(\\s*['"]${table}\\b`,
  ).test(code)
}

const readersOf = (table: string, sources: readonly Source[]) =>
  [...new Set(sources.filter(({ text }) => reads(table, text)).map(({ path }) => ownerOf(path)))].sort()

test('what banks moved is read by bank-inbox, and by others only where it is listed why', async () => {
  const readers = readersOf('bank_transaction', await serverSources())
  expect(readers).toEqual(['bank-inbox', ...Object.keys(READERS_OF_BANK_TRANSACTIONS)].sort())
})

test.each([
  'sql`SELECT 1 FROM bank_transaction b`',
  'sql`SELECT 1 FROM posts LEFT JOIN bank_transaction ON true`',
  "db.selectFrom('bank_transaction')",
  "query.innerJoin('bank_transaction as b', 'b.id', 'posts.id')",
])('a further reader is found: %s', (text) => {
  expect(
    readersOf('bank_transaction', [{ path: 'src/server/modules/posts/planted.queries.ts', text }]),
  ).toEqual(['posts'])
})
