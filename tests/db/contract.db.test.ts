import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { DUMP_FILE, TYPES_FILE, typesOf } from '#scripts/database-types.ts'
import { exampleOutputs } from '#scripts/sql-examples.ts'
import { dumpSchema } from '#scripts/schema-dump.ts'
import { asOwner } from '#server/platform/db/owner.ts'
import { useTestApp } from '#tests/support/app.ts'
import { freshDatabase } from '#tests/support/postgres.ts'

const portal = useTestApp()

describe('the contract as it is served', () => {
  test('documents that a purchase names the price which was shown', async () => {
    const { paths } = (await portal.call('GET', '/api/openapi.json')).body as {
      paths: Record<string, Record<string, { summary?: string; description?: string }>>
    }
    for (const [path, field] of [
      ['/exchange/store', 'expected_receive'],
      ['/user/buy-package', 'expected_price'],
    ] as const) {
      const { summary = '', description = '' } = paths[path]?.['post'] ?? {}
      expect(`${summary}${description}`).toContain(`A client that shows the offer has to send \`${field}\``)
    }
  })

  test('an unknown call is refused in the API’s own shape', async () => {
    const answer = await portal.call('GET', '/api/no/such/call')
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({ code: 'NOT_FOUND', requestId: expect.any(String) })
  })
})

describe('what npm run codegen writes', () => {
  test('the examples of the ledger have the documented outputs, and change nothing', async () => {
    const database = await freshDatabase()
    await asOwner(database.ownerUrl, async (client) => {
      const outputs = await exampleOutputs(client)
      expect(outputs.size).toBeGreaterThan(5)
      for (const [file, text] of outputs) expect(text, file).toBe(await readFile(file, 'utf8'))
      expect((await client.query('SELECT FROM ledger_account WHERE user_id IS NOT NULL')).rowCount).toBe(0)
    })
    await database.drop()
  })

  test('the database types are what the migrations make', async () => {
    expect(await typesOf(portal.ownerUrl)).toBe(await readFile(TYPES_FILE, 'utf8'))
  })

  test('the readable dump is the schema that the migrations make', async () => {
    expect(await asOwner(portal.ownerUrl, dumpSchema)).toBe(await readFile(DUMP_FILE, 'utf8'))
  })
})
