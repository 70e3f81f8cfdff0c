import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RenderPage } from '#contract/rendered-page.ts'

const root = new URL('../../../../', import.meta.url)

/** Addresses of the built files that a document names. */
export type SiteFiles = {
  script: string
  preloads: string[]
  /** What each part that is loaded apart from the entry needs beyond it, by the part's name. */
  parts: Record<string, string[]>
  styles: string[]
  fonts: string[]
}

type ManifestEntry = { file: string; name?: string; css?: string[]; assets?: string[]; imports?: string[] }

/** The site: how it renders, what its documents name, and where its files lie. */
export type Site = {
  renderPage: RenderPage
  /** False in development, where a page may change from one request to the next. */
  isCached: boolean
  files: SiteFiles
  builtFolder: string
  publicFolder: string
}

const ENTRY = 'src/web/entry-client.tsx'

/** The faces that the first screen is written in. */
const PRELOADED_FONTS = /be-vietnam-pro-(?:latin|vietnamese)-400-/

export async function loadSite(): Promise<Site> {
  const [files, renderPage] = await Promise.all([loadSiteFiles(), loadRenderer()])
  return {
    files,
    renderPage,
    isCached: true,
    builtFolder: fileURLToPath(new URL('dist/web/client/static/', root)),
    publicFolder: fileURLToPath(new URL('public/', root)),
  }
}

async function loadSiteFiles(): Promise<SiteFiles> {
  const manifest = JSON.parse(
    await readBuilt(new URL('dist/web/client/.vite/manifest.json', root)),
  ) as Record<string, ManifestEntry>
  const entry = manifest[ENTRY]
  if (!entry) throw new Error(`The built site has no entry ${ENTRY}; build it anew with \`npm run build\``)
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
    fonts: (entry.assets ?? []).filter((file) => PRELOADED_FONTS.test(file)).map(address),
  }
}

async function loadRenderer(): Promise<RenderPage> {
  const file = fileURLToPath(new URL('dist/web/server/entry-server.js', root))
  const { renderPage } = (await import(pathToFileURL(file).href)) as { renderPage: RenderPage }
  return renderPage
}

/** The chunks that the entry needs at once, each named once. */
function importsOf(
  manifest: Record<string, ManifestEntry>,
  name: string,
  seen = new Set<string>(),
): string[] {
  return (manifest[name]?.imports ?? []).flatMap((key) => {
    const chunk = manifest[key]
    if (!chunk || seen.has(key)) return []
    seen.add(key)
    return [chunk.file, ...importsOf(manifest, key, seen)]
  })
}

async function readBuilt(file: URL): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new Error('The site has not been built; `npm run build` does it', { cause: error })
  }
}
