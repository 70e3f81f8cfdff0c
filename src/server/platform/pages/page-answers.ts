import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, gzipSync } from 'node:zlib'

type Encoding = 'identity' | 'gzip' | 'br'

/** What is sent for a page: ready, except for what each answer has of its own. */
export type PageAnswer = {
  status: number
  /** Names and values in turn. */
  headers: readonly string[]
  body: Buffer | null
}

export type PageText = {
  status: number
  html: string
  etag: string
  policy: string
  /** Of an answer that asks to come back later. */
  retryAfterSeconds?: number | undefined
}

const BROTLI_QUALITY = 5
/** Much of the gain for little of the work: all there is when nobody asks a second time. */
const QUICK_GZIP_LEVEL = 3

/**
 * The answers with one rendered page. The first browser gets it compressed quickly; from the second one on it is compressed
 * well, beside the requests that go on meanwhile.
 */
export class PageAnswers {
  readonly #page: PageText
  readonly #identity: Buffer
  readonly #unchanged: PageAnswer
  readonly #ready: Partial<Record<Encoding, PageAnswer>> = {}
  #isAskedBefore = false
  #packing: Promise<void> | null = null

  constructor(page: PageText) {
    this.#page = page
    this.#identity = Buffer.from(page.html)
    this.#unchanged = { status: 304, headers: this.#headers(), body: null }
  }

  get status(): number {
    return this.#page.status
  }

  get etag(): string {
    return this.#page.etag
  }

  /** More than all that is and will be held: a compressed text is shorter than the text. */
  get bytes(): number {
    return 3 * this.#identity.length
  }

  get unchanged(): PageAnswer {
    return this.#unchanged
  }

  /** The best encoding that is there already, of those that the browser accepts. */
  in(accepted: Accepted): PageAnswer {
    if (accepted.gzip || accepted.br) this.#packLater()
    if (accepted.br && this.#ready.br) return this.#ready.br
    if (accepted.gzip) return (this.#ready.gzip ??= this.#quick())
    return (this.#ready.identity ??= this.#with('identity', this.#identity))
  }

  /** Once everything that was begun is compressed. */
  async packed(): Promise<void> {
    await this.#packing
  }

  #quick(): PageAnswer {
    return this.#with('gzip', gzipSync(this.#identity, { level: QUICK_GZIP_LEVEL }))
  }

  #packLater(): void {
    if (this.#isAskedBefore) this.#packing ??= this.#pack()
    this.#isAskedBefore = true
  }

  async #pack(): Promise<void> {
    const [zipped, brotli] = await Promise.all([
      promisify(gzip)(this.#identity),
      promisify(brotliCompress)(this.#identity, {
        params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY },
      }),
    ])
    this.#ready.gzip = this.#with('gzip', zipped)
    this.#ready.br = this.#with('br', brotli)
  }

  #with(encoding: Encoding, body: Buffer): PageAnswer {
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
  'cache-control',
  'no-cache',
  'vary',
  'Accept-Encoding',
]

export type Accepted = { gzip: boolean; br: boolean }

/** Browsers send few different ones. */
const ACCEPTED_MAX = 100
const known = new Map<string, Accepted>()

/** The encodings that the browser accepts; `q=0` refuses one. */
export function acceptedBy(header: string | undefined): Accepted {
  const found = known.get(header ?? '')
  if (found) return found
  const taken = (header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase().split(';'))
    .filter(([, weight]) => !/^\s*q=0(\.0*)?$/.test(weight ?? ''))
    .map(([name]) => name)
  const accepted = { gzip: taken.includes('gzip'), br: taken.includes('br') }
  if (known.size >= ACCEPTED_MAX) known.clear()
  known.set(header ?? '', accepted)
  return accepted
}
