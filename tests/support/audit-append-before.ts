import { readFile } from 'node:fs/promises'
import { invariant } from '#server/platform/invariant.ts'

/** SQL that makes the function that appended rows while the audit trail was one chain, under another name or its own. */
export async function auditAppendBefore(name: string): Promise<string> {
  const migration = await readFile(new URL('../../migrations/0001-foundation.sql', import.meta.url), 'utf8')
  const [made] = /^CREATE FUNCTION audit_append\([\s\S]*?^\$\$;/m.exec(migration) ?? []
  invariant(made, 'the first migration makes the function')
  return made.replace('CREATE FUNCTION audit_append', `CREATE OR REPLACE FUNCTION ${name}`)
}
