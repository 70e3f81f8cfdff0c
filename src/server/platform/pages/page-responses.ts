import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRawSync, gzip } from 'node:zlib'
import type { Accepted } from '../http/accepted-encodings.ts'

/** A piece of a document, compressed at most once: also when many documents have it. */
export type Piece = { bytes: Buffer; deflated?: Buffer }

const BEST = 9
/** Much of the gain for little of the work: enough when there is no second request. */
const QUICK = 1

export const ownPiece = (text: string): Piece => ({ bytes: Buffer.from(text) })

export function commonPiece(text: string): Piece {
  const bytes = Buffer.from(text)
  return { bytes, deflated: deflated(bytes, BEST) }
}

export const bytesOf = (pieces: readonly Piece[]): Buffer => Buffer.concat(pieces.map(({ bytes }) => bytes))

/** Blocks that refer to nothing before them and end with a whole byte, so that other blocks may stand around them. */
const deflated = (bytes: Buffer, level: number): Buffer =>
  deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH })

/** The header of a gzip file without name and time (RFC 1952). */
const START = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty last block, then sum and length. */
const LAST_BLOCK = 3
const END_BYTES = 10

/** The pieces as one gzip file, for which only those of one document are compressed now. */
export function zippedQuickly(pieces: readonly Piece[]): Buffer {
  const end = Buffer.alloc(END_BYTES)
  let sum = 0
  let length = 0
  for (const { bytes } of pieces) {
    sum = crc32(bytes, sum)
    length += bytes.length
  }
  end.writeUInt16LE(LAST_BLOCK, 0)
  end.writeUInt32LE(sum, 2)
  end.writeUInt32LE(length, 6)
  return Buffer.concat([
    START,
    ...pieces.map((piece) => (piece.deflated ??= deflated(piece.bytes, QUICK))),
    end,
  ])
}

type Encoding = 'identity' | 'gzip' | 'br'

/** The answers for a page, complete except for what differs between requests. */
export type PageAnswer = {
  status: number
  /** Names and values in turn. */
  headers: readonly string[]
  body: Buffer | null
}

export type PageText = {
  status: number
  pieces: readonly Piece[]
  etag: string
  policy: string
  /** Retry-After of the answer. */
  retryAfterSeconds?: number | undefined
}

const BROTLI_QUALITY = 7

/**
 * The answers with one rendered page. The first browser gets it compressed quickly; from the second one on it is compressed
 * well, beside the requests that go on meanwhile.
 */
export class PageAnswers {
  readonly #page: PageText
  readonly #unchanged: PageAnswer
  readonly #ready: Partial<Record<Encoding, PageAnswer>> = {}
  #isSentBefore = false
  #packing: Promise<void> | null = null

  constructor(page: PageText) {
    this.#page = page
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
    return this.#page.pieces.reduce((sum, { bytes }) => sum + 3 * bytes.length, 0)
  }

  get unchanged(): PageAnswer {
    return this.#unchanged
  }

  /** The best encoding that is there already, of those that the browser accepts. */
  in(accepted: Accepted): PageAnswer {
    if (accepted.gzip || accepted.br) this.#packLater()
    if (accepted.br && this.#ready.br) return this.#ready.br
    if (accepted.gzip) return (this.#ready.gzip ??= this.#quick())
    return (this.#ready.identity ??= this.#with('identity', bytesOf(this.#page.pieces)))
  }

  /** Once everything that was begun is compressed. */
  async packed(): Promise<void> {
    await this.#packing
  }

  #quick(): PageAnswer {
    return this.#with('gzip', zippedQuickly(this.#page.pieces))
  }

  #packLater(): void {
    if (this.#isSentBefore) this.#packing ??= this.#pack()
    this.#isSentBefore = true
  }

  async #pack(): Promise<void> {
    const identity = bytesOf(this.#page.pieces)
    const [zipped, brotli] = await Promise.all([
      promisify(gzip)(identity),
      promisify(brotliCompress)(identity, {
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
