import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { RenderPage } from '#contract/rendered-page.ts'

const root = new URL('../../../../', import.meta.url)

/** Addresses of the built files that documents refer to. */
export type SiteFiles = {
  script: string
  preloads: string[]
  /** The files of each part that is loaded separately, without those of the entry, by the part's name. */
  parts: Record<string, string[]>
  styles: string[]
  fonts: string[]
}

type ManifestEntry = { file: string; name?: string; css?: string[]; assets?: string[]; imports?: string[] }

/** The built site: its renderer, the addresses of its files, and the folders that they are served from. */
export type Site = {
  renderPage: RenderPage
  /** False in development, where a page may change from one request to the next. */
  isCached: boolean
  files: SiteFiles
  builtFolder: string
  publicFolder: string
}

const ENTRY = 'src/web/entry-client.tsx'

/** The fonts of the first screen. */
const PRELOADED_FONTS = /be-vietnam-pro-(?:latin|vietnamese)-400-/

export async function loadSite(): Promise<Site> {
  const files = await loadSiteFiles()
  const renderer = new URL('dist/web/server/entry-server.js', root)
  const { renderPage } = (await import(renderer.href)) as { renderPage: RenderPage }
  return {
    files,
    renderPage,
    isCached: true,
    builtFolder: fileURLToPath(new URL('dist/web/client/static/', root)),
    publicFolder: fileURLToPath(new URL('public/', root)),
  }
}

async function loadSiteFiles(): Promise<SiteFiles> {
  const text = await readFile(new URL('dist/web/client/.vite/manifest.json', root), 'utf8').catch((cause) => {
    throw new Error('The site has not been built; `npm run build` does it', { cause })
  })
  const manifest = JSON.parse(text) as Record<string, ManifestEntry>
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

/** The files of all chunks that a chunk imports, directly or not, each once. */
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
