import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ConsoleSite } from './site-files.ts'

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const CONSOLE_PATH = /^\/(?:admin|api\/operator)(?:[/?]|$)/i

/** Serves `/admin` and below: one document for all of its screens, and the files that it names. */
export async function registerConsole(
  app: FastifyInstance,
  { files, builtFolder }: ConsoleSite,
): Promise<void> {
  const html = documentOf(files)
  await app.register(fastifyStatic, {
    prefix: '/admin/static',
    root: builtFolder,
    immutable: true,
    maxAge: '1y',
    preCompressed: true,
    decorateReply: false,
  })
  const send = (_request: FastifyRequest, reply: FastifyReply) =>
    reply
      .header('content-security-policy', POLICY)
      .header('cache-control', 'no-store')
      .header('x-robots-tag', 'noindex, nofollow')
      .type('text/html; charset=utf-8')
      .send(html)
  app.get('/admin', send)
  app.get('/admin/*', send)
}

/** With a host of its own, the console and its calls answer there and nowhere else. */
export function keepConsoleOnHost(app: FastifyInstance, adminHost: string): void {
  app.addHook('onRequest', async (request, reply) => {
    if (CONSOLE_PATH.test(request.url) && request.host.toLowerCase() !== adminHost) reply.callNotFound()
  })
}

const documentOf = ({ script, preloads, styles }: ConsoleSite['files']) => `<!doctype html>
<html lang="vi">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Vận hành</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
${styles.map((file) => `<link rel="stylesheet" href="${file}">`).join('\n')}
${preloads.map((file) => `<link rel="modulepreload" href="${file}">`).join('\n')}
<script type="module" src="${script}"></script>
</head>
<body>
<div id="root"></div>
</body>
</html>
`
