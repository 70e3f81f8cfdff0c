import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../', import.meta.url))

const COPIED = [
  'src',
  'seeds',
  'scripts',
  'art',
  'tests',
  'package.json',
  'tsconfig.json',
  'knip.json',
  '.dependency-cruiser.cjs',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'playwright.config.ts',
  'vitest.config.ts',
  'vite.web.config.ts',
]

/** A copy of the checkout to plant faults in; shares node_modules. */
export async function copyCheckout(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-repo-'))
  for (const name of COPIED) await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}
