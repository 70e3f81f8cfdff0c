import { ENCODE, type Encoding } from '../http/accepted-encodings.ts'
import { DOCUMENT_HEADERS } from '../http/edge.ts'

/** The answers for a page, complete except for what differs between requests. */
export type PageAnswer = {
  status: number
  /** Names and values in turn. */
  headers: readonly string[]
  body: Buffer | null
}

export type PageText = {
  status: number
  text: string
  etag: string
  policy: string
  /** Retry-After of the answer. */
  retryAfterSeconds?: number | undefined
}

/** The answers with one rendered page, each compressed when the first browser accepts it. */
export class PageAnswers {
  readonly #page: Omit<PageText, 'text'>
  readonly #body: Buffer
  readonly #ready: Partial<Record<Encoding, PageAnswer>> = {}
  readonly unchanged: PageAnswer

  constructor({ text, ...page }: PageText) {
    this.#page = page
    this.#body = Buffer.from(text)
    this.unchanged = { status: 304, headers: this.#headers(), body: null }
  }

  get status(): number {
    return this.#page.status
  }

  get etag(): string {
    return this.#page.etag
  }

  /** More than all that is and will be held: a compressed text is shorter than the text. */
  get bytes(): number {
    return 3 * this.#body.length
  }

  in(encoding: Encoding): PageAnswer {
    return (this.#ready[encoding] ??= this.#compressed(encoding))
  }

  #compressed(encoding: Encoding): PageAnswer {
    const body = ENCODE[encoding](this.#body)
    const headers = [
      ...this.#headers(),
      ...(encoding === 'identity' ? [] : ['content-encoding', encoding]),
      'content-type',
      'text/html; charset=utf-8',
      'content-length',
      String(body.length),
    ]
    return { status: this.#page.status, headers, body }
  }

  #headers(): string[] {
    const { policy, etag, retryAfterSeconds } = this.#page
    return [
      ...pageHeaders(policy),
      'etag',
      etag,
      ...(retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)]),
    ]
  }
}

/** The headers of every page, also of one that could not be rendered. */
export const pageHeaders = (policy: string): string[] => [
  'content-security-policy',
  policy,
  ...Object.entries(DOCUMENT_HEADERS).flat(),
  'cache-control',
  'no-cache',
  'vary',
  'Accept-Encoding',
]
