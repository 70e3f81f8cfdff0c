import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

type Chunk = { file: string; src?: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[] }

/** A part of a built site that is fetched when it is needed, with what it needs besides the document's own scripts. */
export type LazyPart = { file: string; source: string; needs: string[] }

/** By the built manifest: the scripts that a site's document does not start with, and those of them that the program imports itself. */
export function lazyFiles(site: 'client' | 'admin'): { files: ReadonlySet<string>; parts: LazyPart[] } {
  const manifest = JSON.parse(readFileSync(`dist/web/${site}/.vite/manifest.json`, 'utf8')) as Record<
    string,
    Chunk
  >
  const withImports = (keys: string[], found = new Set<string>()) => {
    for (const key of keys) if (!found.has(key)) withImports(manifest[key]?.imports ?? [], found.add(key))
    return found
  }
  const first = withImports(Object.keys(manifest).filter((key) => manifest[key]?.isEntry))
  const isLazy = (key: string) => manifest[key]?.file.endsWith('.js') === true && !first.has(key)
  const filesOf = (keys: Iterable<string>) =>
    [...keys].flatMap((key) => (isLazy(key) ? [manifest[key]?.file ?? ''] : []))
  return {
    files: new Set(filesOf(Object.keys(manifest))),
    parts: Object.entries(manifest).flatMap(([key, { file, src, isDynamicEntry }]) =>
      isDynamicEntry && src && isLazy(key) ? [{ file, source: src, needs: filesOf(withImports([key])) }] : [],
    ),
  }
}

/** Of an address of the site, as the manifest calls it. */
export const fileOf = (url: string): string => new URL(url).pathname.slice(1)

/** Lets no request for these files through; returns what does again, and what was refused. */
export async function withhold(page: Page, isWithheld: (file: string) => boolean) {
  const refused = new Set<string>()
  let isOn = true
  await page.route('**/static/**/*.js', (route) => {
    const file = fileOf(route.request().url()).replace(/^admin\//, '')
    if (!isOn || !isWithheld(file)) return route.fallback()
    refused.add(file)
    return route.abort('connectionreset')
  })
  return { refused, release: () => (isOn = false) }
}

/** Loses the first request of this page for each lazy file; returns what was lost. */
export async function loseEachOnce(page: Page, { files }: Pick<ReturnType<typeof lazyFiles>, 'files'>) {
  const lost = new Set<string>()
  await page.route('**/static/**/*.js', (route) => {
    const file = fileOf(route.request().url()).replace(/^admin\//, '')
    if (lost.has(file) || !files.has(file)) return route.fallback()
    lost.add(file)
    return route.abort('connectionreset')
  })
  return lost
}

/** Keeps back the requests for these files until they are released. */
export async function delay(page: Page, isDelayed: (file: string) => boolean) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/static/**/*.js', async (route) => {
    if (isDelayed(fileOf(route.request().url()).replace(/^admin\//, ''))) await released
    await route.fallback()
  })
  return release
}
