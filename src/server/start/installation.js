import { existsSync, readFileSync, writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'

/*
 * Loaded before anything else of the portal, in JavaScript that old Nodes read too: what is missing around the program ends
 * in a sentence here, and would end in an error about a file, an import or a word later.
 */

const MAJOR_MIN = 24

const program = new URL('../../../', import.meta.url)
const folder = fileURLToPath(program)

/** @typedef {{ os?: string | string[], cpu?: string | string[], libc?: string | string[], optionalDependencies?: Record<string, string> }} Package */

/** @param {string} name */
const isInstalled = (name) => existsSync(new URL(`node_modules/${name}/package.json`, program))

/** @param {string} name @returns {any} */
const read = (name) => JSON.parse(readFileSync(new URL(name, program), 'utf8'))

/** The system's C library, as npm tells it. */
function libcOfMachine() {
  if (process.platform !== 'linux') return undefined
  try {
    return readFileSync('/usr/bin/ldd', 'latin1').includes('musl') ? 'musl' : 'glibc'
  } catch {
    return undefined
  }
}

/** @param {string | string[] | undefined} wanted @param {string | undefined} here */
const fits = (wanted, here) => wanted === undefined || (here !== undefined && [wanted].flat().includes(here))

const isTooOld = !process.features.typescript || Number.parseInt(process.versions.node, 10) < MAJOR_MIN

/**
 * What the lock file wants on a machine of this kind, and the portal cannot run without: packages, the machine code of some,
 * and where this Node is too old its own one.
 */
function wantedPackages() {
  const { dependencies, optionalDependencies: ownNodes } = read('package.json')
  const own = Object.keys(dependencies)
  // An image, or a copy, may go without this file: what only it knows is not looked for.
  if (!existsSync(new URL('package-lock.json', program))) return own
  /** @type {Record<string, Package>} */
  const packages = read('package-lock.json').packages
  const libc = libcOfMachine()
  const ofKinds = own.flatMap((name) =>
    Object.keys((packages[`node_modules/${name}`] || {}).optionalDependencies || {}),
  )
  const fitting = [...ofKinds, ...(isTooOld ? Object.keys(ownNodes) : [])].filter((name) => {
    const { os, cpu, libc: wanted } = packages[`node_modules/${name}`] || {}
    return cpu !== undefined && fits(os, process.platform) && fits(cpu, process.arch) && fits(wanted, libc)
  })
  return [...own, ...fitting]
}

function problem() {
  const missing = wantedPackages().filter((name) => !isInstalled(name))
  const named = missing.length > 3 ? `${missing.length} packages, such as ${missing[0]},` : missing.join(', ')
  if (missing.length > 0)
    return (
      `${folder}node_modules lacks ${named} for this machine (${process.platform} ${process.arch}): the installation was cut ` +
      'short, left optional packages out, cannot be read by this user, or is a copy from another kind of machine. Run ' +
      `\`npm ci\` in ${folder}, to its end and without --omit=optional, then repeat this command.`
    )
  const ownNode = new URL('node_modules/.bin/node', program)
  const cure = existsSync(ownNode)
    ? `start it with npm, or with the Node that comes with it, ${fileURLToPath(ownNode)}`
    : `install Node ${MAJOR_MIN} or newer, then repeat this command`
  return isTooOld ? `Node ${process.versions.node} of this machine cannot run the portal: ${cure}.` : null
}

// A thread has the packages of its process.
const found = isMainThread ? problem() : null
if (found !== null) {
  writeSync(2, `${found}\n`)
  process.exit(1)
}
