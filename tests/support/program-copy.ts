import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const NEEDED = [
  'src',
  'seeds',
  'migrations',
  'sql',
  'scripts',
  'public',
  'docs/runbooks',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.web.config.ts',
  'vite.admin.config.ts',
]

/** A copy of the program that may be changed; the caller removes it. */
export async function copyProgram(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-copy-'))
  for (const name of NEEDED) await cp(join(root, name), join(folder, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Puts other words in place of those of a file, which must stand there. */
export async function changeFile(file: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
  await writeFile(file, text.replace(from, to))
}
