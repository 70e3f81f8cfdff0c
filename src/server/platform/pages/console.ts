import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SCREEN_PATHS } from '#contract/operator/screen-paths.ts'
import { CONSOLE_SCRIPT, hashOf, OLD_BROWSER } from './csp.ts'
import { type ConsoleSite, rootsOf } from './site-files.ts'
import { DOCUMENT_HEADERS } from '../http/edge.ts'

const POLICY = [
  "default-src 'none'",
  `script-src 'self' ${hashOf(CONSOLE_SCRIPT)}`,
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The routes of the console, as they are registered. */
const CONSOLE_ROUTE = /^\/(?:admin|api\/operator)(?:\/|$)/

/** Serves `/admin` and below: one document for all of its screens, and the files that it names. */
export async function registerConsole(
  app: FastifyInstance,
  { files, ...folders }: ConsoleSite,
): Promise<void> {
  const html = documentOf(files)
  await app.register(fastifyStatic, {
    prefix: '/admin/static',
    root: rootsOf(folders),
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    decorateReply: false,
  })
  const send = (_request: FastifyRequest, reply: FastifyReply) =>
    reply
      .headers(DOCUMENT_HEADERS)
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex, nofollow')
      .type('text/html; charset=utf-8')
      .send(html)
  for (const path of SCREEN_PATHS) {
    const address = `/admin${path}`.replace(/\/$/, '').replace(/:\w+/g, '$&(^[\\w-]+$)')
    app.get(address, send)
    app.get(`${address}/`, send)
  }
  // The console itself reports that there is no such screen.
  app.get('/admin/*', (request, reply) => send(request, reply.code(404)))
}

/**
 * With a host of its own, the routes of the console exist for requests with that `Host` only: on every other host the
 * router goes on to what answers unknown addresses, whatever the form of the address. Forwarded hosts do not count,
 * since many proxies pass on what the client wrote there.
 */
export function restrictConsoleToHost(app: FastifyInstance, adminHost: string): void {
  const host = new RegExp(`^${adminHost.replaceAll('.', '\\.')}$`, 'i')
  app.addHook('onRoute', (route) => {
    if (CONSOLE_ROUTE.test(route.url)) route.constraints = { ...route.constraints, host }
  })
}

const documentOf = ({ script, preloads, styles }: ConsoleSite['files']) => `<!doctype html>
<html lang="vi">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex, nofollow">
<title>Vận hành</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map((file) => `<link rel="stylesheet" href="${file}">`).join('\n')}
${preloads.map((file) => `<link rel="modulepreload" href="${file}">`).join('\n')}
<script data-script="${script}">${CONSOLE_SCRIPT}</script>
</head>
<body>
<p class="old-browser">${OLD_BROWSER}.</p>
<div id="root"></div>
</body>
</html>
`
