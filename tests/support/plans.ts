import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely'
import pg from 'pg'
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
      const asked = sent.filter(({ sql }) => !/^(begin|start|set|commit|rollback)\b/i.test(sql))
      for (const query of asked) {
        const { rows } = await owner.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${query.sql}`, [
          ...query.parameters,
        ])
        nodes.push(...nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode))
      }
      return { queries: asked.length, nodes }
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
