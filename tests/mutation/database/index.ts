import type { Client } from 'pg'
import { readColumns } from './catalogue.ts'
import { rowGuards } from './changes.ts'
import { definerGuards } from './definers.ts'
import type { DatabaseGuard } from './guard.ts'
import { rightGuards } from './refused-rights.ts'
import { ruleGuards } from './rules.ts'
import { triggerGuards } from './triggers.ts'

/** Every guard of a migrated database. */
export async function listDatabaseGuards(client: Client): Promise<DatabaseGuard[]> {
  return [
    ...rowGuards,
    ...rightGuards(await readColumns(client)),
    ...triggerGuards,
    ...definerGuards,
    ...ruleGuards,
  ]
}
