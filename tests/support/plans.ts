import pg from 'pg'
import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { vi } from 'vitest'
import type { Db } from '#server/platform/db/database.ts'
import type { DB } from '#server/platform/db/schema.gen.ts'
import type { TestApp } from './app.ts'

export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Index Cond'?: string
  'Parent Relationship'?: string
  Plans?: PlanNode[]
}

/** A connection of the portal's role whose queries are carried out once more to see how PostgreSQL does it. */
export type Planner = {
  db: Db
  owner: pg.Client
  plansOf(work: () => Promise<unknown>): Promise<{ queries: number; nodes: PlanNode[] }>
  close(): Promise<void>
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

/** A small table is best read whole; with this a plan is made as for one of millions of rows. */
export const AS_IF_LARGE =
  'SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off'

export async function openPlanner({ ownerUrl, appUrl }: TestApp): Promise<Planner> {
  let sent: CompiledQuery[] = []
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  const db: Db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: appUrl, max: 1 }) }),
    log: ({ query }) => void sent.push(query),
  })
  return {
    db,
    owner,
    async plansOf(work) {
      sent = []
      await work()
      const nodes: PlanNode[] = []
      // What opens and ends a transaction has no plan.
      const statements = sent.filter(({ sql }) => !/^(begin|start|set|commit|rollback)\b/i.test(sql))
      for (const query of statements) {
        const { rows } = await owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.sql}`, [
          ...query.parameters,
        ])
        nodes.push(...nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode))
      }
      return { queries: statements.length, nodes }
    },
    async close() {
      await owner.end()
      await db.destroy()
    },
  }
}

/** The tables among these that were read from end to end. */
export const readWhole = (nodes: readonly PlanNode[], tables: RegExp): string[] =>
  nodes
    .filter((node) => node['Node Type'] === 'Seq Scan' && tables.test(node['Relation Name'] ?? ''))
    .map((node) => node['Relation Name'] ?? '')

export const mostRows = (nodes: readonly PlanNode[]): number =>
  Math.max(...nodes.map((node) => node['Actual Rows']))

/** The most rows that one step looked at, also those it threw away. */
export const mostRowsRead = (nodes: readonly PlanNode[]): number => Math.max(...nodes.map(rowsOf))

const rowsOf = (node: PlanNode): number =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']

/** How many rows of a table were looked at in the table itself, and not in an index alone. */
export const rowsFetched = (nodes: readonly PlanNode[], table: string): number =>
  nodes
    .filter((node) => node['Relation Name'] === table && node['Node Type'] !== 'Index Only Scan')
    .reduce((sum, node) => sum + rowsOf(node), 0)

export type Statement = { text: string; values: unknown[] }

type Plan = PlanNode & { 'Index Name'?: string; Filter?: string; Plans?: Plan[] }

/** Tables that stay small however many players there are: what operators make, and figures of each hour. */
const SMALL = new Set(
  `answer_template audit_head audit_line backup_run categories client_error content_version failed_work game_description game_name maintenance picture post_categories posts proposal proposal_agreement ranking_groups ranking_snapshots servers settings
   former_role staff_invite statistics_active statistics_hour teams tournaments user_roles`.split(/\s+/),
)

/** Passes on each statement that any connection sends from now on, until `vi.restoreAllMocks()`. */
export function onStatement(report: (statement: Statement) => void): void {
  // oxlint-disable-next-line typescript/unbound-method
  const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given
    const text = typeof first === 'string' ? first : (first as { text?: string }).text
    const values = Array.isArray(second) ? second : ((first as { values?: unknown[] }).values ?? [])
    if (typeof text === 'string' && /^\s*(select|insert|update|delete|with)\b/i.test(text))
      report({ text, values })
    return query.apply(this, given)
  } as typeof pg.Client.prototype.query)
}

const isSeqScan = (node: PlanNode) => node['Node Type'] === 'Seq Scan'

/** Tables read row by row. */
const readByRow = (plan: Plan): string[] => [
  ...(isSeqScan(plan) && plan['Relation Name'] !== undefined ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(readByRow),
]

/** An index: its first column or expression, and whether its condition leaves it a tenth of the table's rows at most. */
type Index = { name: string; table: string; first: string; isNarrow: boolean }

/** Whether a condition on the first column narrows it: with one on a later column alone it is read from end to end. */
const isNarrowed = (condition = '', { first }: Index) =>
  /^\w+$/.test(first) ? new Set(condition.match(/\w+/g)).has(first) : condition.includes(first)

type Reading = { table: string; index: string }

/** Tables read along a whole index that neither a condition of the query nor its own narrows. */
function readAlong(
  plan: Plan,
  indexes: ReadonlyMap<string, Index>,
  isLimited = false,
  above?: string,
): Reading[] {
  const {
    'Node Type': type,
    'Relation Name': table = above,
    'Index Name': name = '',
    'Index Cond': condition,
  } = plan
  const index = indexes.get(name)
  const isOpen = index !== undefined && !index.isNarrow && !isNarrowed(condition, index)
  const isWhole = isOpen && (!isLimited || plan.Filter !== undefined || condition !== undefined)
  // What sorts or adds up takes all rows, however few of its own are selected.
  const passesOn = type === 'Limit' || (isLimited && !/^(Sort|Aggregate|Hash|WindowAgg)/.test(type))
  const below = (plan.Plans ?? []).flatMap((one) => readAlong(one, indexes, passesOn, table))
  return table !== undefined && isWhole ? [{ table, index: name }, ...below] : below
}

/** The indexes of a plan, but for those of small tables. */
const indexesIn = (plan: Plan, table?: string): string[] => {
  const own = plan['Relation Name'] ?? table
  const index = plan['Index Name']
  return [
    ...(index !== undefined && !SMALL.has(own ?? '') ? [index] : []),
    ...(plan.Plans ?? []).flatMap((below) => indexesIn(below, own)),
  ]
}

async function namesOf(client: pg.Client, query: string): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(query)
  return new Set(rows.map(({ name }) => name))
}

/** Statements as PostgreSQL plans them if reading a table page by page is expensive, and if it is forbidden. */
export async function openPlans(client: pg.Client) {
  const filled = await namesOf(
    client,
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > 100`,
  )
  const { rows } = await client.query<Index>(
    `SELECT c.relname AS name, t.relname AS table, pg_get_indexdef(i.indexrelid, 1, true) AS first,
        i.indpred IS NOT NULL AND c.reltuples <= t.reltuples / 10 AS "isNarrow"
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid`,
  )
  const indexes = new Map(rows.map((index) => [index.name, index]))
  const planned = async ({ text, values }: Statement, settings: string) => {
    await client.query(settings)
    const answer = await client.query(`EXPLAIN (FORMAT JSON) ${text}`, values)
    return answer.rows[0]['QUERY PLAN'][0].Plan as Plan
  }
  const expensive = (statement: Statement) =>
    planned(statement, 'SET enable_seqscan = on; SET seq_page_cost = 1000; SET random_page_cost = 1')

  // A portal looks at its rights now and then, which stand in PostgreSQL's own tables.
  const isGrowing = (table: string) => !SMALL.has(table) && !table.startsWith('pg_')

  async function readsOf(statement: Statement): Promise<{ whole: string[]; along: Reading[] }> {
    const plan = await expensive(statement)
    const forbidden = await planned(statement, 'SET enable_seqscan = off')
    return {
      whole: [
        ...readByRow(plan).filter((table) => filled.has(table)),
        // Of a table without rows nothing is expensive; the index has to be there all the same.
        ...readByRow(forbidden).filter((table) => !filled.has(table)),
      ].filter(isGrowing),
      along: readAlong(plan, indexes).filter(({ table }) => filled.has(table) && isGrowing(table)),
    }
  }

  /** Without an index that is read along, the one that serves is used: at this size the other may have been as cheap. */
  async function wholeReadsWithin(statement: Statement): Promise<string[]> {
    const { whole, along } = await readsOf(statement)
    if (whole.length > 0 || along.length === 0) return [...new Set(whole)]
    for (const index of new Set(along.map((one) => one.index)))
      await client.query(await dropOf(client, index))
    return wholeReadsWithin(statement)
  }

  async function undone<T>(work: () => Promise<T>): Promise<T> {
    await client.query('BEGIN')
    try {
      return await work()
    } finally {
      await client.query('ROLLBACK')
    }
  }

  const indexesOf = async (statement: Statement, matches: (index: string) => boolean) =>
    [...new Set(indexesIn(await expensive(statement)))].filter(matches)

  return {
    /** The growing tables that a statement reads from end to end. */
    wholeReads: (statement: Statement) => undone(() => wholeReadsWithin(statement)),
    indexesOf: (statement: Statement) => indexesOf(statement, () => true),
    /**
     * Whether a table is read whole without an index. Those of the same table that then take its place are dropped as
     * well: some filters are served by several. All are there again afterwards.
     */
    isMissed: (index: string, statement: Statement): Promise<boolean> =>
      undone(async () => {
        const table = indexes.get(index)?.table
        let next = [index]
        while (next.length > 0) {
          for (const one of next) await client.query(await dropOf(client, one))
          await client.query('SAVEPOINT dropped')
          const isWhole = (await wholeReadsWithin(statement)).length > 0
          await client.query('ROLLBACK TO SAVEPOINT dropped')
          if (isWhole) return true
          next = await indexesOf(statement, (one) => indexes.get(one)?.table === table)
        }
        return false
      }),
  }
}

export type Plans = Awaited<ReturnType<typeof openPlans>>

/** An index that belongs to a key goes with its key and with what refers to that. */
async function dropOf(client: pg.Client, index: string): Promise<string> {
  const { rows } = await client.query<{ sql: string }>(
    `SELECT format('ALTER TABLE %s DROP CONSTRAINT %I CASCADE', conrelid::regclass, conname) AS sql
       FROM pg_constraint WHERE conindid = $1::regclass AND contype IN ('p', 'u', 'x')`,
    [index],
  )
  return rows[0]?.sql ?? `DROP INDEX ${index}`
}
