import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { onTestFinished } from 'vitest'
import type { RenderedPage } from '#contract/rendered-page.ts'
import type { Db } from '../../db/database.ts'
import { openLimits } from '../../limits/limits.ts'
import type { Vault } from '../../db/vault.ts'
import type { OutsideSources } from '../csp.ts'
import { registerPages } from '../pages.ts'

/** Built and public files as the build leaves them; gone after the test. */
async function someFiles(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pages-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'built/js'), { recursive: true })
  await mkdir(join(folder, 'public/images'), { recursive: true })
  await writeFile(join(folder, 'built/js/a.js'), 'export {}')
  await writeFile(join(folder, 'built/js/a.js.br'), 'compressed')
  await writeFile(join(folder, 'public/images/logo.png'), 'png')
  await writeFile(join(folder, 'public/sw.js'), 'self')
  await writeFile(join(folder, 'public/offline.html'), '<p>')
  return folder
}

type PagesAppOptions = {
  publicUrl?: string
  outside?: () => OutsideSources | undefined
  render?: (url: string) => Partial<RenderedPage> | Promise<Partial<RenderedPage>>
}

/** A server of pages whose text contains how often pages were rendered. */
export async function startPagesApp({
  publicUrl = 'http://127.0.0.1',
  outside,
  render = () => ({}),
}: PagesAppOptions = {}) {
  const viewed: string[] = []
  let renders = 0
  const folder = await someFiles()
  const app = Fastify()
  const pages = await registerPages(
    app,
    {
      publicUrl,
      isDemoPublic: false,
      transport: () => Promise.reject(new Error('these pages make no calls')),
      log: app.log,
      limits: openLimits({} as Db, {} as Vault),
      taken: new Set(),
      contentOf: () => [],
      onViewed: (path) => viewed.push(path),
      ...(outside
        ? { outsideSources: async (path: string) => (path === '/home' ? outside() : undefined) }
        : {}),
    },
    {
      files: { script: '/static/js/a.js', preloads: [], parts: {}, styles: [], critical: {} },
      builtFolder: join(folder, 'built'),
      publicFolder: join(folder, 'public'),
      isCached: true,
      renderPage: async ({ url }) => {
        renders += 1
        const state = { queries: [] }
        const head = { title: url, siteName: 'Cổng', image: '/a.png' }
        return { status: 200, head, html: `render ${renders}`, state, ...(await render(url)) }
      },
    },
  )
  return {
    app,
    pages,
    viewed,
    renders: () => renders,
    get: (url: string, headers = {}, remoteAddress = '127.0.0.1') =>
      app.inject({ method: 'GET', url, headers, remoteAddress }),
  }
}
