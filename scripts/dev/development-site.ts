import { realpath } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { createServer, type Plugin, type ViteDevServer } from 'vite'
import type { RenderPage } from '#contract/rendered-page.ts'
import type { Site } from '#server/platform/pages/site-files.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const publicFolder = fileURLToPath(new URL('../../public/', import.meta.url))

/** What Vite answers: source files, packages, and its own modules. Everything else is the portal's. */
const SOURCE_ADDRESS = /^\/(@|src\/|node_modules\/|scripts\/dev\/|\.cache\/vite\/)/

/**
 * A page's module exports an object, which React's hot replacement takes for a reason to load the page again. With a
 * component among the exports, and the object left out of account (entry.ts), the page's components are replaced.
 */
const hotPages: Plugin = {
  name: 'hot-pages',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('.page.tsx')
      ? { code: `${code}\nexport function Replaceable() { return null }\n`, map: null }
      : null,
}

/**
 * The site straight from its sources: modules compiled one by one, changes pushed to the open page, development React.
 * Pages are not cached, so that a reload always shows the current source.
 */
export async function openDevelopmentSite(app: FastifyInstance): Promise<Site> {
  const vite = await createServer({
    root,
    configFile: fileURLToPath(new URL('../../vite.web.config.ts', import.meta.url)),
    appType: 'custom',
    plugins: [hotPages],
    // For this checkout alone, and with every package found before the first page requests it.
    cacheDir: join(root, '.cache/vite'),
    optimizeDeps: { entries: ['scripts/dev/entry.ts'] },
    server: {
      middlewareMode: true,
      hmr: { server: app.server },
      // Packages may lie elsewhere, behind a link that several checkouts share.
      fs: { allow: [root, await realpath(join(root, 'node_modules'))] },
    },
  })
  serveSources(app, vite)
  // Vite puts style sheets into the page as `<style>` elements and waits for a restarted server in a worker of its own.
  app.addHook('onSend', async (_request, reply) => {
    const policy = reply.getHeader('content-security-policy')
    if (String(reply.getHeader('content-type')).startsWith('text/html')) {
      reply.header(
        'content-security-policy',
        `${String(policy)}; style-src 'self' 'unsafe-inline'; worker-src 'self' blob:`,
      )
    }
  })
  app.addHook('onClose', () => vite.close())
  return {
    renderPage: async (input) => {
      const { renderPage } = (await vite.ssrLoadModule('/src/web/entry-server.tsx')) as {
        renderPage: RenderPage
      }
      return renderPage(input)
    },
    isCached: false,
    files: {
      script: '/scripts/dev/entry.ts',
      preloads: [],
      parts: {},
      styles: ['/src/web/style.css?direct'],
      critical: {},
    },
    // Nothing is built; the folder only has to exist.
    builtFolder: publicFolder,
    publicFolder,
    console: {
      files: {
        script: '/scripts/dev/console-entry.ts',
        preloads: [],
        styles: ['/src/admin/style.css?direct'],
      },
      builtFolder: publicFolder,
    },
  }
}

/** Ahead of the portal's own handling: a page requests hundreds of modules, which are no requests worth a log line. */
function serveSources({ server }: FastifyInstance, vite: ViteDevServer): void {
  const portal = server.listeners('request') as ((...exchange: [IncomingMessage, ServerResponse]) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const next = () => portal.forEach((handle) => handle.call(server, request, response))
    if (SOURCE_ADDRESS.test(request.url ?? '')) vite.middlewares(request, response, next)
    else next()
  })
}
