import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { posix } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { paths } from '#contract/pages.ts'
import { hasEtag } from '../http/cached-response.ts'
import type { Visitor } from '../http/client-address.ts'
import type { EarlyAnswer, EarlyRequest } from '../http/early-answers.ts'
import { operationalRefusal } from '../db/operational-failures.ts'
import type { Log } from '../log/log.ts'
import { Refusal } from '../values/errors.ts'
import { findPage, searchAddress, unknownPage, type FoundPage } from './addresses.ts'
import { pagePolicy } from './csp.ts'
import { brokenDocument } from './document.ts'
import {
  cachedPages,
  type PageClient,
  type CachedPagesOptions,
  type Page,
  type PageCache,
} from './page-cache.ts'
import { encodingFor } from '../http/accepted-encodings.ts'
import { pageHeaders, type PageAnswer, type PageAnswers } from './page-responses.ts'
import { PageUnavailable, renderer, RETRY_SECONDS, type RenderingOptions } from './rendering.ts'
import { isCallOrFile, refuseFile, serveFiles, type PlayerSite, type SiteFiles } from './site-files.ts'

const XSRF_COOKIE = 'XSRF-TOKEN'

/**
 * The cookie of a visitor who has none yet. The client sends it back as a header (spec §7), so scripts may read it. It
 * grants nothing by itself.
 */
function newXsrfCookie(cookies: string | undefined, isSecure: boolean): string | undefined {
  if (cookies?.includes(`${XSRF_COOKIE}=`)) return undefined
  // Node draws the randomness of many of these at once, which makes one ten times as cheap as bytes of its own.
  return `${XSRF_COOKIE}=${randomUUID()}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
}

export type PagesOptions = RenderingOptions &
  CachedPagesOptions & {
    /** Called for each page shown to a visitor, cached or not. */
    onViewed?: (path: string, visitor: Visitor) => void
    /** The first segments of addresses that other routes answer. */
    taken: ReadonlySet<string>
  }

export type Pages = Pick<PageCache<Page>, 'drop'> & {
  /** The answer to a plain request for a page. */
  answerEarly(request: EarlyRequest): EarlyAnswer | null | Promise<EarlyAnswer | null>
}

/** The route of all pages. */
export const PAGES_ROUTE = '/*'

/** Addresses below this one are secrets: the links of mails. */
const SECRET_PATH = paths.password('')

/** Serves the portal's pages, rendered from its own API, and the files they need. */
export async function registerPages(
  app: FastifyInstance,
  options: PagesOptions,
  site: PlayerSite,
): Promise<Pages> {
  await serveFiles(app, site)
  const cached = cachedPages(options, { render: renderer(site, options), isCached: site.isCached })
  const isSecure = options.publicUrl.startsWith('https:')

  app.get('/', async (_request, reply) => reply.redirect(paths.home, 302))
  // The folder of the players' pages has no page itself.
  app.get(posix.dirname(paths.profile), async (_request, reply) => reply.redirect(paths.profile, 302))

  app.get(PAGES_ROUTE, async (request, reply) => {
    const [path = '', ...rest] = request.url.split('?')
    const known = findPage(path)
    if (!known && isCallOrFile(path)) return refuseFile(request, reply)
    const page = known ?? unknownPage(path)
    if (page.canonical.startsWith(SECRET_PATH)) reply.header('referrer-policy', 'no-referrer')
    const query = rest.length === 0 ? undefined : rest.join('?')
    const search = searchAddress(path, query)
    if (search !== undefined) return reply.redirect(search, 302)
    if (page.canonical !== path) return reply.redirect(page.canonical + encoded(query), 301)
    const { method, headers, ip: address } = request
    const answer = await answerFor(page, { method, headers, address, log: () => request.log })
    return sendAnswer(answer, reply)
  })

  /** The answer with a page, cached or just rendered. */
  function answerWith({ answers }: Page, rendered: string, request: PageRequest): EarlyAnswer {
    const { method, headers, address } = request
    if (answers.status === 200 && method === 'GET')
      options.onViewed?.(rendered, { address, userAgent: headers['user-agent'] })
    const { status, headers: ownHeaders, body } = answerTo(headers, answers)
    return { status, headers: ownHeaders, body, cookie: newXsrfCookie(headers.cookie, isSecure) }
  }

  async function answerFor(page: FoundPage, request: PageRequest): Promise<EarlyAnswer> {
    try {
      return answerWith(await cached.pageAt(page, request), page.rendered, request)
    } catch (error) {
      if (error instanceof PageUnavailable) return answerWith(error.page, page.rendered, request)
      return brokenAnswer(error, request.log, site.files)
    }
  }

  function ready(rendered: string, request: EarlyRequest): EarlyAnswer | null {
    const page = cached.shown(rendered)
    return page === undefined ? null : answerWith(page, rendered, request)
  }

  // In development Vite changes the document after it was rendered.
  const render = site.isCached ? answerFor : undefined

  return {
    drop: cached.drop,
    answerEarly(request) {
      const { path } = request
      if (path.startsWith(SECRET_PATH)) return null
      const search = searchAddress(path, request.query)
      if (search !== undefined) return redirection(302, search)
      // Most requests have the address of a page as it is cached.
      const answer = ready(path, request)
      return answer ?? answerToOther(request, { ...options, ready, render })
    },
  }
}

/** A request by the route or by the early answer. */
type PageRequest = PageClient & { method: string; headers: IncomingHttpHeaders }

type Other = Pick<PagesOptions, 'taken'> & {
  ready(rendered: string, request: EarlyRequest): EarlyAnswer | null
  render: ((page: FoundPage, request: PageRequest) => Promise<EarlyAnswer>) | undefined
}

/** What the address decides: other forms, unknown pages, and pages that are not there yet. */
function answerToOther(
  request: EarlyRequest,
  { taken, ready, render }: Other,
): EarlyAnswer | null | Promise<EarlyAnswer | null> {
  const { path, query } = request
  if (taken.has(path.split('/', 2)[1] ?? '') || !isReadable(path)) return null
  const known = findPage(path)
  // The framework matches its routes with the decoded address.
  if (!known && (path.includes('%') || isCallOrFile(path))) return null
  const page = known ?? unknownPage(path)
  if (page.canonical.startsWith(SECRET_PATH)) return null
  if (page.canonical !== path) return redirection(301, page.canonical + encoded(query))
  const answer = page.rendered === path ? null : ready(page.rendered, request)
  return answer ?? render?.(page, request) ?? null
}

const redirection = (status: number, address: string): EarlyAnswer => ({
  status,
  headers: ['location', address, 'content-length', '0'],
  body: null,
})

function isReadable(path: string): boolean {
  try {
    return !path.includes('%') || decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** The query is encoded again: headers must be ASCII. */
const encoded = (query: string | undefined): string =>
  query === undefined ? '' : new URL(`http://page.invalid/?${query}`).search

function answerTo(headers: IncomingHttpHeaders, answers: PageAnswers): PageAnswer {
  if (answers.status === 200 && hasEtag({ headers }, answers.etag)) return answers.unchanged
  return answers.in(encodingFor(headers['accept-encoding']))
}

function sendAnswer({ status, headers, body, cookie }: EarlyAnswer, reply: FastifyReply): FastifyReply {
  if (cookie !== undefined) reply.header('set-cookie', cookie)
  return withHeaders(reply, headers)
    .code(status)
    .send(body ?? undefined)
}

function withHeaders(reply: FastifyReply, headers: readonly string[]): FastifyReply {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
  return reply
}

/** When there is no page to show: too many requests, no database, or a failure of the rendering. */
function brokenAnswer(error: unknown, log: () => Log, files: SiteFiles): PageAnswer {
  const refusal = error instanceof Refusal ? error : (operationalRefusal(error) ?? new Refusal('INTERNAL'))
  const isFailure = refusal.code === 'INTERNAL'
  if (isFailure) log().error({ err: error }, 'a page could not be rendered')
  else log().warn({ err: error, code: refusal.code }, 'a page was refused')
  const body = Buffer.from(brokenDocument(files, refusal.message))
  const headers = [
    ...pageHeaders(pagePolicy()),
    ...(isFailure ? [] : ['retry-after', String(refusal.retryAfterSeconds ?? RETRY_SECONDS)]),
    'content-type',
    'text/html; charset=utf-8',
    'content-length',
    String(body.length),
  ]
  return { status: refusal.status, headers, body }
}
