import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RenderPage } from '#contract/rendered-page.ts'
import { DOCUMENT_HEADERS } from '../http/edge.ts'
import { SetupProblem } from '../values/errors.ts'
import { pagePolicy, WORKER_POLICY } from './csp.ts'

const root = new URL('../../../../', import.meta.url)

/** Addresses of the built files that documents refer to. */
export type SiteFiles = {
  script: string
  preloads: string[]
  /** The files of each part that is loaded separately, without those of the entry, by the part's name. */
  parts: Record<string, string[]>
  styles: string[]
  /** The rules of each part's first paint, and under the empty name those of pages without a part; none in development. */
  critical: Record<string, string>
}

/** The rules that the document of a page with this part contains. */
export const criticalOf = ({ critical }: SiteFiles, part = '') => critical[part] ?? critical['']

type ManifestEntry = { file: string; name?: string; css?: string[]; imports?: string[] }

/** The built player site: its renderer, the addresses of its files, and the folders that they are served from. */
export type PlayerSite = {
  renderPage: RenderPage
  /** False in development, where a page may change from one request to the next. */
  isCached: boolean
  files: SiteFiles
  builtFolder: string
  /** Where the files of other releases are, for tabs that were opened before an upgrade. */
  keptFolder?: string | undefined
  publicFolder: string
}

/** The built operator console: the files that its document names, and where they lie. */
export type ConsoleSite = Pick<PlayerSite, 'builtFolder' | 'keptFolder'> & {
  files: Pick<SiteFiles, 'script' | 'preloads' | 'styles'>
}

export type Site = PlayerSite & { console: ConsoleSite }

const ENTRY = 'src/web/entry-client.tsx'
const CONSOLE_ENTRY = 'src/admin/entry-client.tsx'

export async function loadSite(): Promise<Site> {
  const files = await loadSiteFiles()
  const console = await loadConsole()
  const renderer = new URL('dist/web/server/entry-server.js', root)
  const { renderPage } = (await import(renderer.href)) as { renderPage: RenderPage }
  return {
    files,
    renderPage,
    isCached: true,
    builtFolder: fileURLToPath(new URL('dist/web/client/static/', root)),
    publicFolder: fileURLToPath(new URL('public/', root)),
    console,
  }
}

async function loadConsole(): Promise<ConsoleSite> {
  const manifest = await readManifest('admin')
  const entry = entryOf(manifest, CONSOLE_ENTRY)
  const address = (file: string) => `/admin/${file}`
  return {
    files: {
      script: address(entry.file),
      preloads: importsOf(manifest, CONSOLE_ENTRY).map(address),
      styles: (entry.css ?? []).map(address),
    },
    builtFolder: fileURLToPath(new URL('dist/web/admin/static/', root)),
  }
}

async function loadSiteFiles(): Promise<SiteFiles> {
  const manifest = await readManifest('client')
  const entry = entryOf(manifest, ENTRY)
  const address = (file: string) => `/${file}`
  const filesBeyondEntry = (key: string, { file }: ManifestEntry) => {
    const known = new Set([ENTRY])
    importsOf(manifest, ENTRY, known)
    return [file, ...importsOf(manifest, key, known)].map(address)
  }
  return {
    script: address(entry.file),
    preloads: importsOf(manifest, ENTRY).map(address),
    parts: Object.fromEntries(
      Object.entries(manifest)
        .filter(([key]) => key !== ENTRY)
        .map(([key, part]) => [part.name ?? key, filesBeyondEntry(key, part)]),
    ),
    styles: (entry.css ?? []).map(address),
    critical: (await readBuilt('client/critical.json')) as SiteFiles['critical'],
  }
}

/** The files of all chunks that a chunk imports, directly or not, each once. */
function importsOf(
  manifest: Record<string, ManifestEntry>,
  name: string,
  visited = new Set<string>(),
): string[] {
  return (manifest[name]?.imports ?? []).flatMap((key) => {
    const chunk = manifest[key]
    if (!chunk || visited.has(key)) return []
    visited.add(key)
    return [chunk.file, ...importsOf(manifest, key, visited)]
  })
}

const readManifest = async (folder: string) =>
  (await readBuilt(`${folder}/.vite/manifest.json`)) as Record<string, ManifestEntry>

async function readBuilt(name: string): Promise<unknown> {
  const text = await readFile(new URL(`dist/web/${name}`, root), 'utf8').catch((cause) => {
    throw new SetupProblem(
      `the site has not been built, or cannot be read by this user: run \`npm run build\` in ${fileURLToPath(root)} as a user who may write there, then start again`,
      { cause },
    )
  })
  return JSON.parse(text)
}

function entryOf(manifest: Record<string, ManifestEntry>, name: string): ManifestEntry {
  const entry = manifest[name]
  if (!entry)
    throw new SetupProblem(`the built site has no entry ${name}: build it anew with \`npm run build\``)
  return entry
}

/** Types of text files that the library serves without a charset. */
const TEXT_TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

/** Where a file with a hash in its name is looked for. */
export const rootsOf = ({
  builtFolder,
  keptFolder,
}: Pick<PlayerSite, 'builtFolder' | 'keptFolder'>): string[] =>
  keptFolder === undefined ? [builtFolder] : [builtFolder, keptFolder]

/** The built files, then those of other releases, and the public folder. */
export async function serveFiles(
  app: FastifyInstance,
  { builtFolder, keptFolder, publicFolder }: Pick<PlayerSite, 'builtFolder' | 'keptFolder' | 'publicFolder'>,
): Promise<void> {
  await app.register(
    async (scope) => {
      scope.setNotFoundHandler(refuseFile)
      await scope.register(fastifyStatic, {
        root: rootsOf({ builtFolder, keptFolder }),
        // Names contain a hash of the contents: the file of a name never changes.
        immutable: true,
        maxAge: '1y',
        // Their ETag is enough, and a dozen of them come on a first visit.
        lastModified: false,
        preCompressed: true,
        decorateReply: false,
      })
    },
    { prefix: '/static' },
  )
  await app.register(fastifyStatic, {
    root: publicFolder,
    prefix: '/',
    wildcard: false,
    cacheControl: false,
    decorateReply: false,
    setHeaders: (reply, file) => {
      if (file.endsWith('.html')) {
        reply.header('content-security-policy', pagePolicy())
        for (const [name, value] of Object.entries(DOCUMENT_HEADERS)) reply.header(name, value)
      }
      if (file.endsWith('.js')) reply.header('content-security-policy', WORKER_POLICY)
      const textType = TEXT_TYPES[extname(file)]
      if (textType) reply.header('content-type', textType)
      // Players with an outdated service worker would not get the present site.
      const isProgram = /\.(html|js)$/.test(file)
      reply.header(
        'cache-control',
        isProgram ? 'no-cache' : 'public, max-age=86400, stale-while-revalidate=604800',
      )
    },
  })
}

/** Calls and files have their own routes; those that arrive here do not exist and get no HTML page. */
export function isCallOrFile(path: string): boolean {
  return path.startsWith('/api/') || /\.\w{1,11}$/.test(path)
}

export function refuseFile(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .type('text/plain; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send('Không tìm thấy')
}
