import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

const run = promisify(execFile)
const CACHE = fileURLToPath(new URL('../../.cache/engines/', import.meta.url))

/** Packages of npm with a whole Chromium of the time in them. */
const PACKAGES = {
  109: '@sparticuz/chromium@109.0.6',
  106: '@sparticuz/chromium@106.0.2',
  88: 'chrome-aws-lambda@5.5.0',
} as const

/** The path of an old Chromium, fetched from npm once. */
export async function oldChromium(version: keyof typeof PACKAGES): Promise<string> {
  const program = join(CACHE, `chromium-${version}`)
  if (existsSync(program)) return program
  const folder = await mkdtemp(join(tmpdir(), 'cong-ninja-chromium-'))
  try {
    const { stdout } = await run('npm', ['pack', PACKAGES[version], '--json', '--pack-destination', folder])
    const [packed] = JSON.parse(stdout) as { filename: string }[]
    await run('tar', ['-xzf', join(folder, packed?.filename ?? ''), '-C', folder, 'package/bin/chromium.br'])
    const compressed = await readFile(join(folder, 'package/bin/chromium.br'))
    await mkdir(CACHE, { recursive: true })
    // Renamed when it is whole.
    await writeFile(`${program}.new`, await promisify(brotliDecompress)(compressed), { mode: 0o755 })
    await rename(`${program}.new`, program)
    return program
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
