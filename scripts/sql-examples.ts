import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client, DatabaseError, QueryResult } from 'pg'

const FOLDER = fileURLToPath(new URL('../sql/examples/', import.meta.url))

/**
 * The examples of `sql/examples/` with what PostgreSQL answers now, by the file that has the answer. Each is run in a
 * transaction that is rolled back, so that a database is left as it was.
 */
export async function exampleOutputs(client: Client): Promise<Map<string, string>> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted()
  const outputs = new Map<string, string>()
  for (const name of names) {
    const sql = await readFile(join(FOLDER, name), 'utf8')
    outputs.set(join(FOLDER, `${name}.out`), await runExample(client, sql))
  }
  return outputs
}

/** Each statement, which ends a line, with its answer below; one that is refused leaves the others alone. */
async function runExample(client: Client, sql: string): Promise<string> {
  const parts: string[] = []
  await client.query('BEGIN')
  try {
    for (const statement of sql.trimEnd().split(/(?<=;)\n/)) {
      await client.query('SAVEPOINT statement')
      const answer = await client
        .query<string[]>({ text: statement, rowMode: 'array' })
        .then(tableOf, async (error: DatabaseError) => {
          await client.query('ROLLBACK TO SAVEPOINT statement')
          // A transfer's number depends on what was posted before, also by examples that were rolled back.
          return `ERROR ${error.code}: ${error.message.replace(/transfer \d+/, 'transfer …')}\n`
        })
      parts.push(`${statement}\n${answer}`)
    }
  } finally {
    await client.query('ROLLBACK')
  }
  return parts.join('')
}

function tableOf({ fields, rows }: QueryResult): string {
  if (fields.length === 0) return ''
  const cells = [fields.map(({ name }) => name), ...(rows as unknown[][]).map((row) => row.map(String))]
  const widths = fields.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const lines = cells.map((row) =>
    ` ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')}`.trimEnd(),
  )
  lines.splice(1, 0, widths.map((width) => '-'.repeat(width + 2)).join('+'))
  return `${lines.join('\n')}\n`
}
