import type { IncomingHttpHeaders } from 'node:http'
import { posix } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { paths } from '#contract/pages.ts'
import type { EarlyAnswer, EarlyRequest } from '../http/early-answers.ts'
import { hasEtag } from '../http/etag.ts'
import { operationalRefusal } from '../http/operational.ts'
import { Refusal } from '../http/refusal.ts'
import { visitorOf, type Visitor } from '../http/visitor.ts'
import { findPage, unknownPage } from './addresses.ts'
import { pagePolicy } from './csp.ts'
import { brokenDocument } from './document.ts'
import { keptPages, type KeptPagesOptions } from './kept-pages.ts'
import { acceptedBy, pageHeaders, type PageAnswer, type PageAnswers } from './page-answers.ts'
import type { PageCache } from './page-cache.ts'
import { PageUnavailable, renderer, RETRY_SECONDS, type Page, type RenderingOptions } from './rendering.ts'
import { isCallOrFile, refuseFile, serveFiles } from './serve-files.ts'
import type { PlayerSite, SiteFiles } from './site-files.ts'
import { xsrfCookies } from './xsrf-cookie.ts'

export type PagesOptions = RenderingOptions &
  KeptPagesOptions & {
    /** Called for each page shown to a visitor, cached or not. */
    onViewed?: (path: string, visitor: Visitor) => void
    /** The first segments of addresses that other routes answer. */
    taken: ReadonlySet<string>
  }

export type Pages = Pick<PageCache<Page>, 'drop'> & {
  /** The answer to a plain request for a page that is there already. */
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
  const kept = keptPages(options, { render: renderer(site, options), isCached: site.isCached })
  const newCookie = xsrfCookies(options.publicUrl.startsWith('https:'))

  app.get('/', async (_request, reply) => reply.redirect(paths.home, 302))
  // The folder of the players' pages has no page itself.
  app.get(posix.dirname(paths.profile), async (_request, reply) => reply.redirect(paths.profile, 302))

  app.get(PAGES_ROUTE, async (request, reply) => {
    const [asked = '', ...rest] = request.url.split('?')
    const known = findPage(asked)
    if (!known && isCallOrFile(asked)) return refuseFile(request, reply)
    const page = known ?? unknownPage(asked)
    if (page.canonical.startsWith(SECRET_PATH)) reply.header('referrer-policy', 'no-referrer')
    const query = rest.length === 0 ? undefined : rest.join('?')
    if (page.canonical !== asked) return reply.redirect(page.canonical + encoded(query), 301)
    const send = ({ answers }: Page) => {
      const cookie = newCookie(request.headers.cookie)
      if (cookie !== undefined) reply.header('set-cookie', cookie)
      return sendAnswer(answerTo(request.headers, answers), reply)
    }
    try {
      const shown = await kept.pageAt(page, request)
      if (shown.answers.status === 200 && request.method === 'GET')
        options.onViewed?.(page.rendered, visitorOf(request))
      return send(shown)
    } catch (error) {
      if (error instanceof PageUnavailable) return send(error.page)
      return sendBroken(error, request, reply, site.files)
    }
  })

  function ready(rendered: string, { method, headers, address }: EarlyRequest): EarlyAnswer | null {
    const page = kept.shown(rendered)
    if (page === undefined) return null
    if (page.answers.status === 200 && method === 'GET')
      options.onViewed?.(rendered, { address, userAgent: headers['user-agent'] })
    const { status, headers: ownHeaders, body } = answerTo(headers, page.answers)
    return { status, headers: ownHeaders, body, cookie: newCookie(headers.cookie) }
  }

  return {
    drop: kept.drop,
    answerEarly(request) {
      const { path } = request
      if (path.startsWith(SECRET_PATH)) return null
      // Most requests name a page as it is kept.
      const answer = ready(path, request)
      return answer ?? answerToOther(request, { ...options, ready })
    },
  }
}

type Other = Pick<PagesOptions, 'taken' | 'isMissing'> & {
  ready(rendered: string, request: EarlyRequest): EarlyAnswer | null
}

/** What needs a look at the address: other spellings, unknown pages, and pages of which it is known that nothing is there. */
function answerToOther(
  request: EarlyRequest,
  { taken, isMissing, ready }: Other,
): EarlyAnswer | null | Promise<EarlyAnswer | null> {
  const { path, query } = request
  if (taken.has(path.split('/', 2)[1] ?? '') || !isReadable(path)) return null
  const known = findPage(path)
  // The framework looks for its routes in the decoded address.
  if (!known && (path.includes('%') || isCallOrFile(path))) return null
  const page = known ?? unknownPage(path)
  if (page.canonical.startsWith(SECRET_PATH)) return null
  if (page.canonical !== path) {
    const headers = ['location', page.canonical + encoded(query), 'content-length', '0']
    return { status: 301, headers, body: null }
  }
  if (page.rendered !== path) return ready(page.rendered, request)
  if (page.isFixed || isMissing === undefined) return null
  return isMissing(page.rendered).then((isNothing) => (isNothing ? ready(page.missing, request) : null))
}

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
  return answers.in(acceptedBy(headers['accept-encoding']))
}

function sendAnswer({ status, headers, body }: PageAnswer, reply: FastifyReply): FastifyReply {
  return withHeaders(reply, headers)
    .code(status)
    .send(body ?? undefined)
}

function withHeaders(reply: FastifyReply, headers: readonly string[]): FastifyReply {
  for (let at = 0; at < headers.length; at += 2) reply.header(headers[at] ?? '', headers[at + 1])
  return reply
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
  return withHeaders(reply, pageHeaders(pagePolicy()))
    .code(refusal.status)
    .type('text/html; charset=utf-8')
    .send(brokenDocument(files, refusal.message))
}
