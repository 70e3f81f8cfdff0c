import type { RenderedPage, Transport } from '#contract/rendered-page.ts'
import { boundedQueue } from '../process/bounded-queue.ts'
import { Refusal } from '../values/errors.ts'
import { pagePolicy, type OutsideSources } from './csp.ts'
import { documents, type Document } from './document.ts'
import { PageAnswers } from './page-responses.ts'
import type { Page } from './page-cache.ts'
import { criticalOf, type PlayerSite } from './site-files.ts'

export type RenderingOptions = {
  /** Address of the portal as players know it: canonical links and shared pictures. */
  publicUrl: string
  /** How rendering reaches the API. */
  transport: Transport
  /** Which content the answer of a call shows. */
  contentOf(url: string): readonly string[]
  /** Every page then shows that this is a demo. */
  isDemoPublic: boolean
  /** Origins outside the site that the document at this path may reach. Cached with the page until it is dropped. */
  outsideSources?: (path: string) => Promise<OutsideSources | undefined>
}

export const RETRY_SECONDS = 5

/** A page was rendered with a 5xx status, because a call it needs failed. Its text explains that. */
export class PageUnavailable extends Error {
  readonly page: Page

  constructor(page: Page) {
    super(`the page answered ${page.answers.status}`)
    this.page = page
  }
}

/** Renders pages. Beyond the bounds of the queue, visitors get 503 with Retry-After. */
export function renderer(
  { files, renderPage }: PlayerSite,
  options: RenderingOptions,
): (path: string) => Promise<Page> {
  const queued = boundedQueue({
    runningMax: 4,
    waitingMax: 60,
    waitMsMax: 5_000,
    refusal: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: RETRY_SECONDS }),
  })
  const documentOf = documents({ ...options, files })
  return (path) =>
    queued(async () => {
      // The frame around every page, and the policy, are made of settings.
      const shows = new Set<string>(['settings'])
      const transport: Transport = (call) => {
        for (const kind of options.contentOf(call.url)) shows.add(kind)
        return options.transport(call)
      }
      const [rendered, outside] = await Promise.all([
        renderPage({ url: path, transport, publicUrl: options.publicUrl }),
        options.outsideSources?.(path),
      ])
      const policy = pagePolicy(outside, criticalOf(files, rendered.part))
      const page = pageOf(rendered, documentOf(rendered, path), policy)
      if (rendered.status >= 500) throw new PageUnavailable({ ...page, shows })
      return { ...page, shows }
    })
}

function pageOf({ status }: RenderedPage, document: Document, policy: string): Omit<Page, 'shows'> {
  const answers = new PageAnswers({
    ...document,
    status,
    policy,
    ...(status === 503 ? { retryAfterSeconds: RETRY_SECONDS } : {}),
  })
  return { answers, bytes: answers.bytes }
}
