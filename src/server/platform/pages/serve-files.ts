import { extname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DOCUMENT_HEADERS } from '../http/edge.ts'
import { pagePolicy, WORKER_POLICY } from './csp.ts'
import type { PlayerSite } from './site-files.ts'

/** Types of text files that the library serves without a charset. */
const TEXT_TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

/** The built files and those of the public folder. */
export async function serveFiles(
  app: FastifyInstance,
  { builtFolder, publicFolder }: PlayerSite,
): Promise<void> {
  await app.register(
    async (scope) => {
      scope.setNotFoundHandler(refuseFile)
      await scope.register(fastifyStatic, {
        root: builtFolder,
        // Names contain a hash of the contents: the file of a name never changes.
        immutable: true,
        maxAge: '1y',
        // Their ETag is enough, and a dozen of them come on a first visit.
        lastModified: false,
        preCompressed: true,
        decorateReply: false,
        setHeaders: keepShort,
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
      if (file.endsWith('.html')) reply.header('content-security-policy', pagePolicy())
      if (file.endsWith('.js')) reply.header('content-security-policy', WORKER_POLICY)
      if (/\.(avif|webp|png|ico)$/.test(file)) keepShort(reply)
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

function keepShort(reply: Pick<FastifyReply, 'removeHeader'>): void {
  for (const name of DOCUMENT_HEADERS) reply.removeHeader(name)
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
