import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/**
 * `npm run lockfile`, after `npm install`: writes down the packages of other platforms that npm left out.
 *
 * A registry mirror may not carry what its own machines never need. npm then leaves such optional packages out of the
 * lockfile, and `npm ci` refuses the lockfile because they are missing, on every machine. With version, system and
 * processor written down, `npm ci` passes over them where they do not fit and fetches them where they do.
 */
type Entry = {
  version?: string
  optional?: boolean
  dev?: boolean
  devOptional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

const FILE = fileURLToPath(new URL('../package-lock.json', import.meta.url))
const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
  'aix',
]
const PROCESSORS = [
  'arm64',
  'x64',
  'arm',
  'ia32',
  'ppc64',
  'riscv64',
  's390x',
  'loong64',
  'mips64el',
  'wasm32',
]

/** A platform package says in its name where it belongs: `binding-linux-arm64-gnu`. */
function platformOf(name: string): Pick<Entry, 'os' | 'cpu'> {
  const words = name.split(/[-/]/)
  const os = SYSTEMS.filter((system) => words.includes(system))
  const cpu = PROCESSORS.filter((processor) => words.includes(processor))
  if (os.length + cpu.length === 0) throw new Error(`${name} does not say which platform it is for`)
  return { ...(os.length > 0 ? { os } : {}), ...(cpu.length > 0 ? { cpu } : {}) }
}

function missingFrom(packages: Record<string, Entry>): Record<string, Entry> {
  const missing: Record<string, Entry> = {}
  for (const parent of Object.values(packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const place = `node_modules/${name}`
      if (Object.keys(packages).some((found) => found === place || found.endsWith(`/${place}`))) continue
      missing[place] = {
        version: version.replace(/^[\^~]/, ''),
        ...platformOf(name),
        ...(parent.dev ? { dev: true } : {}),
        optional: true,
      }
    }
  }
  return missing
}

const lockfile = JSON.parse(await readFile(FILE, 'utf8')) as { packages: Record<string, Entry> }
const missing = missingFrom(lockfile.packages)
const packages = { ...lockfile.packages, ...missing }
lockfile.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)))
await writeFile(FILE, `${JSON.stringify(lockfile, null, 2)}\n`)
console.log(`${Object.keys(missing).length} packages of other platforms written down`)
