import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'

type Chunk = { file: string; src?: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[] }

/** A part of a built site that is fetched when it is needed. */
export type LazyPart = { file: string; source: string }

/** By the built manifest: the scripts that a site's document does not start with, and those of them that the program imports itself. */
export function lazyFiles(site: 'client' | 'admin'): { files: ReadonlySet<string>; parts: LazyPart[] } {
  const manifest = JSON.parse(readFileSync(`dist/web/${site}/.vite/manifest.json`, 'utf8')) as Record<
    string,
    Chunk
  >
  const first = new Set<string>()
  const visit = (key: string) => {
    if (first.has(key)) return
    first.add(key)
    for (const more of manifest[key]?.imports ?? []) visit(more)
  }
  for (const [key, { isEntry }] of Object.entries(manifest)) if (isEntry) visit(key)
  const chunks = Object.entries(manifest).filter(([key, { file }]) => file.endsWith('.js') && !first.has(key))
  return {
    files: new Set(chunks.map(([, { file }]) => file)),
    parts: chunks.flatMap(([, { file, src, isDynamicEntry }]) =>
      isDynamicEntry && src ? [{ file, source: src }] : [],
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
