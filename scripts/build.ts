import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { InlineConfig } from 'vite'
import program from '../package.json' with { type: 'json' }
import { SetupProblem } from '#server/platform/values/errors.ts'
import { criticalStyles } from './critical-css.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const dist = join(root, 'dist')
const site = join(dist, 'web')
const stampFile = join(site, 'stamp.txt')

const SOURCES = [
  'src/{web,admin,client,ui,contract}/**/*.{ts,tsx,css}',
  'vite.{web,admin}.config.ts',
  'src/ui/fonts/*',
  'public/images/logo.svg',
  'scripts/{build,built-files,critical-css,floor,runbooks}.ts',
  'docs/runbooks/**/*.md',
  'package.json',
  'package-lock.json',
]

export async function isBuilt(): Promise<boolean> {
  return (await readFile(stampFile, 'utf8').catch(() => '')) === (await stampOfSources())
}

/** Builds the site unless what lies in `dist` was made of the very same sources. Returns whether it built. */
export async function buildIfNeeded(): Promise<boolean> {
  const stamp = await stampOfSources()
  const found = await readFile(stampFile, 'utf8').catch(() => '')
  if (found === stamp) return false
  console.log('Building the site, once for this version …')
  // Built in another folder and then renamed: a partial or mixed build is never served.
  const unfinished = join(dist, `web-${process.pid}`)
  await makeFolder(unfinished)
  try {
    await buildSite(unfinished)
    await writeFile(join(unfinished, 'stamp.txt'), stamp)
    await rm(site, { recursive: true, force: true })
    await rename(unfinished, site)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return true
}

async function makeFolder(folder: string): Promise<void> {
  try {
    // Made together on a disk that is only read from they would be ENOENT.
    for (const one of [dist, folder]) if (!existsSync(one)) await mkdir(one)
  } catch (error) {
    throw new SetupProblem(
      `${dist} cannot be written (${(error as NodeJS.ErrnoException).code}), and holds no site of this version: run ` +
        `\`npm run build\` in ${root} as a user who may write there, then start again`,
      { cause: error },
    )
  }
}

/** The browser's and the server's part of the player site and the operator console, each in its own folder. */
async function buildSite(folder: string): Promise<void> {
  // Loaded only when there is something to build: a start that finds its site ready has no use for it.
  const { build } = await import('vite')
  const of = (name: string): InlineConfig => ({
    root,
    configFile: join(root, `vite.${name}.config.ts`),
    logLevel: 'warn',
  })
  // Tools read here whether to build for production, and a test runner has set it to something else.
  const before = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  try {
    await build({ ...of('web'), build: { outDir: join(folder, 'client') } })
    await build({ ...of('web'), build: { outDir: join(folder, 'server'), ssr: true } })
    await build({ ...of('admin'), build: { outDir: join(folder, 'admin') } })
  } finally {
    if (before === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = before
  }
  await takeMapsApart(folder)
  const critical = await criticalStyles(join(folder, 'client'))
  await writeFile(join(folder, 'client/critical.json'), JSON.stringify(critical))
  await compressAll(join(folder, 'client/static'))
  await compressAll(join(folder, 'admin/static'))
}

/** Source maps are for the portal alone: they leave the folders that are served, each under the path of its file's address. */
async function takeMapsApart(folder: string): Promise<void> {
  for (const [built, address] of [
    ['client', ''],
    ['admin', 'admin'],
  ] as const) {
    for await (const name of glob('static/**/*.map', { cwd: join(folder, built) })) {
      const to = join(folder, 'maps', address, name)
      await mkdir(dirname(to), { recursive: true })
      await rename(join(folder, built, name), to)
    }
  }
}

/** Compressed copies lie beside the files, so that the server only picks the right one. */
async function compressAll(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true })
  const texts = names.filter((name) => /\.(js|css|svg)$/.test(name))
  await Promise.all(
    texts.map(async (name) => {
      const file = join(folder, name)
      const content = await readFile(file)
      await writeFile(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
      const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
      await writeFile(`${file}.br`, await promisify(brotliCompress)(content, { params: quality }))
    }),
  )
}

async function stampOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const files: string[] = []
  for await (const file of glob(SOURCES, { cwd: root })) files.push(file)
  for (const file of files.filter((name) => !/\.test\.tsx?$/.test(name)).sort()) {
    hash
      .update(file)
      .update('\0')
      .update(await readFile(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

/**
 * At its first start the portal finds itself compiled, and does without the library that strips types: 15 MB. By a process
 * with the flags of `npm start`, since Node separates what was compiled with others.
 */
export function compilePortal(environment: NodeJS.ProcessEnv = process.env): void {
  const flags = program.scripts.start.split(' ').filter((word) => word.startsWith('--'))
  const file = fileURLToPath(new URL('load-portal.js', import.meta.url))
  console.log('Compiling the portal, once for this version …')
  const { status } = spawnSync(process.execPath, [...flags, file], { env: environment, stdio: 'inherit' })
  if (status !== 0) throw new Error('the portal could not be loaded')
}

async function buildAll(): Promise<void> {
  const start = performance.now()
  const hasBuilt = await buildIfNeeded()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(hasBuilt ? `The site is built (${seconds} s).` : 'The site is up to date.')
  compilePortal()
}

if (import.meta.main) {
  await buildAll().catch((error: unknown) => {
    if (!(error instanceof SetupProblem)) throw error
    console.error(error.message)
    process.exitCode = 1
  })
}
