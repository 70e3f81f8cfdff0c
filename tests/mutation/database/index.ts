import type { Client } from 'pg'
import { readCatalogue } from './catalogue.ts'
import { rowGuards } from './changes.ts'
import { definerGuards } from './definers.ts'
import type { DatabaseGuard } from './guard.ts'
import { rightGuards } from './rights.ts'
import { ruleGuards } from './rules.ts'
import { triggerGuards } from './triggers.ts'

/** Every guard of a migrated database. */
export async function listDatabaseGuards(client: Client): Promise<DatabaseGuard[]> {
  const catalogue = await readCatalogue(client)
  return [
    ...rowGuards(catalogue),
    ...rightGuards(catalogue),
    ...triggerGuards,
    ...definerGuards,
    ...ruleGuards,
  ]
}
