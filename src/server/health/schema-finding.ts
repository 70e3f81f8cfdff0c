import type { Migration } from '../platform/db/migration-files.ts'
import { ok, warning, type Finding } from './finding.ts'

/** Processes of the program before go on beside `expand` migrations only (docs/runbooks/upgrade.md). */
export function schemaFinding(all: readonly Migration[], missing: readonly Migration[]): Finding {
  if (missing.length === 0) return ok('schema', 'up to date')
  const text = `${missing.length} migrations are missing: the next start applies them`
  const contract = missing.findLast(({ kind }) => kind === 'contract')
  if (missing.length === all.length || contract === undefined) return ok('schema', text)
  return warning(
    'schema',
    `${text}; end every process of the program before it first, which cannot work beside ${contract.name}`,
  )
}
