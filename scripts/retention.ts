import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { retentionDocument } from './retention-table.ts'

/** `npm run retention`: writes docs/retention.md anew. tests/repo/retention.test.ts reports when it is stale. */
await writeFile(join(import.meta.dirname, '../docs/retention.md'), retentionDocument())
