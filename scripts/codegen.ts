import { readFile } from 'node:fs/promises'
import { migratedTypes, SCHEMA_FILE } from './database-types.ts'
import { readOptions } from './tool-options.ts'
import { writeFile } from 'node:fs/promises'

const { values } = readOptions({
  usage:
    'npm run codegen [-- --check]\n\nThe types of the database, from its migrations; with --check only whether they are current.',
  options: { check: 'flag' },
})
const types = await migratedTypes()
if (values.check) {
  const isCurrent = (await readFile(SCHEMA_FILE, 'utf8')) === types
  console.log(isCurrent ? 'database types are current' : 'database types are stale: run npm run codegen')
  process.exitCode = isCurrent ? 0 : 1
} else {
  await writeFile(SCHEMA_FILE, types)
}
