import { randomBytes } from 'node:crypto'
import { extname, posix } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { paths } from '#contract/pages.ts'
import type { RenderedPage, Transport } from '#contract/rendered-page.ts'
import { boundedQueue } from '../bounded-queue.ts'
import type { ContentKind } from '../content/content-kinds.ts'
import { clientKey } from '../http/client-address.ts'
import { etagOf, hasEtag } from '../http/etag.ts'
import { operationalRefusal } from '../http/operational.ts'
import { Refusal } from '../http/refusal.ts'
import { machineLimit, type Limits } from '../limits/limits.ts'
import { count } from '../metrics/metrics.ts'
import { findPage, unknownPage, type FoundPage } from './addresses.ts'
import { pagePolicy, WORKER_POLICY, type OutsideSources } from './csp.ts'
import { brokenDocument, documentOf } from './document.ts'
import { createPageCache, type CachedPage, type PageCache } from './page-cache.ts'
import { criticalOf, type PlayerSite, type SiteFiles } from './site-files.ts'

export type PagesOptions = {
  /** Address of the portal as players know it: canonical links and shared pictures. */
  publicUrl: string
  /** How rendering reaches the API. */
  transport: Transport
  limits: Limits
  /** Which content the answer of a call shows. */
  contentOf(url: string): readonly ContentKind[]
  /** Called for each page shown to a visitor, cached or not. */
  onViewed?: (path: string, request: FastifyRequest) => void
  /** Every page then shows that this is a demo. */
  isDemoPublic: boolean
  /** Origins outside the site that the document at this path may reach. Kept with the page until it is dropped. */
  outsideSources?: (path: string) => Promise<OutsideSources | undefined>
}

export type Pages = Pick<PageCache<Page>, 'drop'>

type Page = CachedPage & { status: number; policy: string }

const BROTLI_QUALITY = 5

/** Types of text files that the library serves without a charset. */
const TEXT_TYPES: Record<string, string> = {
  '.svg': 'image/svg+xml; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
}

const XSRF_COOKIE = 'XSRF-TOKEN'
/** Addresses below this one are secrets: the links of mails. */
const SECRET_PATH = paths.password('')

/** Pages from the cache are not counted. Mobile carriers put many players behind one address. */
const RENDERS_PER_ADDRESS = machineLimit('renders-address', 240, 60)
const RETRY_SECONDS = 5

/** A page was rendered with a 5xx status, because a call it needs failed. Its text explains that. */
class PageUnavailable extends Error {
  readonly page: Page

  constructor(page: Page) {
    super(`the page answered ${page.status}`)
    this.page = page
  }
}

/** Serves the portal's pages, rendered from its own API, and the files they need. */
export async function registerPages(
  app: FastifyInstance,
  options: PagesOptions,
  site: PlayerSite,
): Promise<Pages> {
  const cache: PageCache<Page> = createPageCache()
  const render = renderer(site, options)
  await serveFiles(app, site)

  async function pageAt({ rendered, isFixed }: FoundPage, request: FastifyRequest): Promise<Page> {
    const kept = cache.get(rendered)
    count('portal_page_cache_total', { outcome: kept ? 'hit' : 'miss' })
    if (kept) return kept
    try {
      if (!cache.isMaking(rendered)) await options.limits.consume(RENDERS_PER_ADDRESS, clientKey(request.ip))
      return await cache.make(rendered, {
        isKept: ({ status }) => site.isCached && (status === 200 || isFixed),
        render: () => render(rendered),
      })
    } catch (error) {
      const lastGood = cache.lastGood(rendered)
      if (!lastGood) throw error
      count('portal_page_cache_total', { outcome: 'stale' })
      request.log.warn({ err: error, event: 'pages.stale' }, 'a page was answered with its last good copy')
      return lastGood
    }
  }

  app.get('/', async (_request, reply) => reply.redirect(paths.home, 302))
  // The folder of the players' pages has no page itself.
  app.get(posix.dirname(paths.profile), async (_request, reply) => reply.redirect(paths.profile, 302))

  app.get('/*', async (request, reply) => {
    const { pathname: asked, query } = splitAddress(request.url)
    const known = findPage(asked)
    if (!known && isCallOrFile(asked)) return refuseFile(request, reply)
    const page = known ?? unknownPage(asked)
    if (page.canonical.startsWith(SECRET_PATH)) reply.header('referrer-policy', 'no-referrer')
    if (page.canonical !== asked) return reply.redirect(page.canonical + query, 301)
    try {
      const shown = await pageAt(page, request)
      if (shown.status === 200 && request.method === 'GET') options.onViewed?.(page.rendered, request)
      return sendPage(shown, request, reply, options)
    } catch (error) {
      if (error instanceof PageUnavailable) return sendPage(error.page, request, reply, options)
      return sendBroken(error, request, reply, site.files)
    }
  })

  return { drop: cache.drop }
}

/** The query is encoded again: headers must be ASCII. */
function splitAddress(url: string): { pathname: string; query: string } {
  const [pathname = '', ...rest] = url.split('?')
  if (rest.length === 0) return { pathname, query: '' }
  return { pathname, query: new URL(`http://page.invalid/?${rest.join('?')}`).search }
}

/** Renders and compresses a page. Beyond the bounds of the queue, visitors are asked to come back later. */
function renderer({ files, renderPage }: PlayerSite, options: PagesOptions): (path: string) => Promise<Page> {
  const queued = boundedQueue({
    runningMax: 4,
    waitingMax: 60,
    waitMsMax: 5_000,
    refusal: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS }),
  })
  return (path) =>
    queued(async () => {
      // The frame around every page, and the policy, are made of settings.
      const shows = new Set<ContentKind>(['settings'])
      const transport: Transport = (call) => {
        for (const kind of options.contentOf(call.url)) shows.add(kind)
        return options.transport(call)
      }
      const [rendered, outside] = await Promise.all([
        renderPage({ url: path, transport }),
        options.outsideSources?.(path),
      ])
      const html = documentOf(rendered, { ...options, path, files })
      const page = {
        ...(await pack(rendered, html, pagePolicy(outside, criticalOf(files, rendered.part)))),
        shows,
      }
      if (page.status >= 500) throw new PageUnavailable(page)
      return page
    })
}

async function serveFiles(app: FastifyInstance, { builtFolder, publicFolder }: PlayerSite): Promise<void> {
  await app.register(
    async (scope) => {
      scope.setNotFoundHandler(refuseFile)
      await scope.register(fastifyStatic, {
        root: builtFolder,
        // Names contain a hash of the contents: the file of a name never changes.
        immutable: true,
        maxAge: '1y',
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
      if (file.endsWith('.html')) reply.header('content-security-policy', pagePolicy())
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
function isCallOrFile(path: string): boolean {
  return path.startsWith('/api/') || /\.\w{1,11}$/.test(path)
}

function refuseFile(_request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .type('text/plain; charset=utf-8')
    .header('cache-control', 'no-cache')
    .send('Không tìm thấy')
}

async function pack(page: RenderedPage, html: string, policy: string): Promise<Omit<Page, 'shows'>> {
  const identity = Buffer.from(html)
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(identity),
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  ])
  const bodies = { identity, gzip: zipped, br: brotli }
  return { status: page.status, policy, etag: pageEtag(page, html), bodies }
}

/** Weak: two renderings that differ only in their times count as the same. */
function pageEtag(page: RenderedPage, html: string): string {
  const state = JSON.stringify(page.state, (name, value: unknown) =>
    name === 'dataUpdatedAt' || name === 'dehydratedAt' ? undefined : value,
  )
  const frame = html.slice(0, html.indexOf('id="page-state"'))
  return `W/${etagOf(frame + state)}`
}

function sendPage(
  page: Page,
  request: FastifyRequest,
  reply: FastifyReply,
  { publicUrl }: PagesOptions,
): FastifyReply {
  writePageHeaders(reply, page.policy).header('etag', page.etag)
  giveXsrfCookie(request, reply, publicUrl.startsWith('https:'))
  if (page.status === 503) reply.header('retry-after', RETRY_SECONDS)
  if (page.status === 200 && hasEtag(request, page.etag)) return reply.code(304).send()

  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.code(page.status).type('text/html; charset=utf-8').send(page.bodies[encoding])
}

/** Sent when there is no page to show: too many requests, no database, or a failure of the rendering. */
function sendBroken(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  files: SiteFiles,
): FastifyReply {
  const refusal = error instanceof Refusal ? error : (operationalRefusal(error) ?? new Refusal('INTERNAL'))
  if (refusal.code === 'INTERNAL') request.log.error({ err: error }, 'a page could not be rendered')
  else {
    request.log.warn({ err: error, code: refusal.code }, 'a page was refused')
    reply.header('retry-after', refusal.retryAfterSeconds ?? RETRY_SECONDS)
  }
  return writePageHeaders(reply, pagePolicy())
    .code(refusal.status)
    .type('text/html; charset=utf-8')
    .send(brokenDocument(files, refusal.message))
}

function writePageHeaders(reply: FastifyReply, policy: string): FastifyReply {
  return reply
    .header('content-security-policy', policy)
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept-Encoding')
}

/** The client sends this cookie back as a header (spec §7), so scripts may read it. It grants nothing by itself. */
function giveXsrfCookie(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): void {
  if (request.headers.cookie?.includes(`${XSRF_COOKIE}=`)) return
  const token = randomBytes(24).toString('base64url')
  reply.header('set-cookie', `${XSRF_COOKIE}=${token}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`)
}

/** The best encoding that the browser accepts; `q=0` refuses one. */
export function encodingFor(accepted: string | undefined): 'br' | 'gzip' | 'identity' {
  const taken = (accepted ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase().split(';'))
    .filter(([, weight]) => !/^\s*q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  if (taken.includes('br')) return 'br'
  return taken.includes('gzip') ? 'gzip' : 'identity'
}
