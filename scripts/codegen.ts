import { readFile } from 'node:fs/promises'
import { migratedTypes, SCHEMA_FILE } from './database-types.ts'
import { writeFile } from 'node:fs/promises'

/** `npm run codegen`: generates the database's types; with `--check` only reports whether they are current. */
const types = await migratedTypes()
if (process.argv.includes('--check')) {
  const isCurrent = (await readFile(SCHEMA_FILE, 'utf8')) === types
  console.log(isCurrent ? 'database types are current' : 'database types are stale: run npm run codegen')
  process.exitCode = isCurrent ? 0 : 1
} else {
  await writeFile(SCHEMA_FILE, types)
}
