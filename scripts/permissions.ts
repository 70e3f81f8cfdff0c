import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { permissionsDocument } from './permission-table.ts'

/** `npm run permissions`: writes docs/permissions.md anew. tests/repo/permissions.test.ts reports when it is stale. */
const root = join(import.meta.dirname, '..')
await writeFile(join(root, 'docs/permissions.md'), await permissionsDocument(root))
