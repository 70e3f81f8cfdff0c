import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { permissionRows, permissionsDocument } from '#scripts/permissions.ts'
import { root } from './checkout-copy.ts'

test('docs/permissions.md matches the contract (npm run permissions)', async () => {
  expect(await readFile(join(root, 'docs/permissions.md'), 'utf8')).toBe(await permissionsDocument(root))
})

test('it has every kind of call', async () => {
  const rows = await permissionRows(root)
  const cellsOf = (call: string) => rows.find((row) => row.call === call)?.cells
  expect(rows.length).toBeGreaterThan(40)
  expect(cellsOf('POST /operator/session')).toMatchObject({ nobody: 'yes', player: 'yes' })
  expect(cellsOf('DELETE /operator/session')).toMatchObject({ nobody: '401', player: '401', referee: 'yes' })
  expect(cellsOf('PUT /operator/settings')).toMatchObject({ owner: 'yes', editor: 'yes', cashier: '403' })
})
