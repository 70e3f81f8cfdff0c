import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { PERMISSIONS } from '#contract/operator/roles.ts'
import { settingDefinitions } from '#contract/operator/settings.ts'
import { profileCopy } from '#web/features/accounts/profile.copy.ts'
import { root } from './checkout-copy.ts'

const DEFINED_IN = 'contract/operator/settings.ts'

async function productFiles(): Promise<string[]> {
  const files = await readdir(join(root, 'src'), { recursive: true })
  return files.filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !/\.gen\.ts$|\/testing\//.test(file))
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'access' in value

/** The permissions that the contract's endpoints require. tests/db/openapi.db.test.ts checks that each endpoint is served. */
async function requiredPermissions(): Promise<Set<string>> {
  const required = new Set<string>()
  for (const file of await productFiles()) {
    if (!/^contract\/operator\/([^/]+\/)?[^/]+\.ts$/.test(file)) continue
    const exported = Object.values((await import(join(root, 'src', file))) as Record<string, object>)
    const endpoints = [...exported, ...exported.flatMap((value) => Object.values(value ?? {}))].filter(
      isEndpoint,
    )
    for (const { access } of endpoints) {
      if (typeof access === 'object') for (const one of [access.permission].flat()) required.add(one)
    }
  }
  return required
}

test('every permission is required by an endpoint, and every endpoint requires a permission that exists', async () => {
  expect([...(await requiredPermissions())].sort()).toEqual([...PERMISSIONS].sort())
})

test('what the profile says an operator may do is a permission', () => {
  expect(Object.keys(profileCopy.acts).filter((act) => !PERMISSIONS.some((name) => name === act))).toEqual([])
})

test('every setting is read by the product', async () => {
  const texts = await Promise.all(
    (await productFiles())
      .filter((file) => file !== DEFINED_IN)
      .map((file) => readFile(join(root, 'src', file), 'utf8')),
  )
  const unread = Object.keys(settingDefinitions).filter((key) => {
    // Numbered and paired keys are put together where they are read: `zalo_box_link_${number}`, `${download}_file`.
    const [, download] = /^(.+)_file$/.exec(key) ?? []
    const numbered = /^(.+_)\d+$/.exec(key)?.[1]
    return !texts.some(
      (text) =>
        new RegExp(`\\b${key}\\b`).test(text) ||
        (numbered !== undefined && text.includes(`${numbered}\${`)) ||
        (download !== undefined && text.includes('}_file')),
    )
  })
  expect(unread).toEqual([])
})
