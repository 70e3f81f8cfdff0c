import { Tokenizer, type ParserOptions, type TokenizerCallbacks } from 'htmlparser2'
import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html'
import { cellAttributes, linkAttributes, pictureAttributes, POST_ELEMENTS } from '#contract/post-html.ts'
import { boundedMarks } from './clean-text.rules.ts'

/** As deep as elements may lie in each other: editors write fewer than ten levels, and parsers take quadratic time. */
export const NESTING_MAX = 64

const VOID_ELEMENTS = new Set(['br', 'hr', 'img', 'image'])

type Nesting = {
  /** How many elements are open now. */
  depth: number
  /** Elements that are removed with what is in them: one may lie deeper, since its inside has to be recognised. */
  removed: readonly string[]
}

/**
 * Leaves out tags that would lie deeper than NESTING_MAX before the parser gets them; text, pictures and line breaks in
 * them stay. For the parser of htmlparser2 in the version that sanitize-html uses.
 */
export class ShallowTokenizer extends Tokenizer {
  #text = ''

  constructor(options: ParserOptions & { nesting: Nesting }, parser: TokenizerCallbacks) {
    super(options, parser)
    const { nesting } = options
    const open = parser.onopentagname.bind(parser)
    const close = parser.onclosetag.bind(parser)
    const nameAt = (start: number, end: number) => this.#text.slice(start, end).toLowerCase()
    /** Start tags that were left out, and whose end tags are still to come. */
    const leftOut = new Map<string, number>()

    parser.onopentagname = (start, end) => {
      if (nesting.depth < NESTING_MAX) {
        leftOut.clear()
        return open(start, end)
      }
      const name = nameAt(start, end)
      const isTaken = nesting.depth === NESTING_MAX && nesting.removed.includes(name)
      if (isTaken || VOID_ELEMENTS.has(name)) return open(start, end)
      leftOut.set(name, (leftOut.get(name) ?? 0) + 1)
    }
    parser.onclosetag = (start, end) => {
      if (nesting.depth < NESTING_MAX) return close(start, end)
      const name = nameAt(start, end)
      const count = leftOut.get(name) ?? 0
      if (count === 0) return close(start, end)
      leftOut.set(name, count - 1)
    }
  }

  override write(chunk: string): void {
    this.#text += chunk
    super.write(chunk)
  }
}

/** Elements whose inside is no text of the writer: it goes with them. */
const DROPPED_WHOLE = [
  'script',
  'style',
  'textarea',
  'option',
  'select',
  'button',
  'noscript',
  'noembed',
  'noframes',
  'iframe',
  'object',
  'xmp',
  'plaintext',
  'template',
  'svg',
  'math',
  'title',
]

const link = (_: string, given: Attributes): Tag => ({ tagName: 'a', attribs: linkAttributes(given) ?? {} })

const picture = (_: string, given: Attributes): Tag => ({
  tagName: 'img',
  attribs: pictureAttributes(given) ?? {},
})

const cell = (tagName: string, given: Attributes): Tag => ({
  tagName,
  attribs: cellAttributes(tagName as 'th' | 'td', given),
})

/** Pictures of other hosts are removed; a link to an unsafe address is reduced to its text. */
const emptied: sanitizeHtml.IOptions['exclusiveFilter'] = ({ tag, attribs }) =>
  (tag === 'img' && !attribs.src) || (tag === 'a' && !attribs.href && 'excludeTag')

const renamed = (tagName: string) => (): Tag => ({ tagName, attribs: {} })

const policy: sanitizeHtml.IOptions = {
  allowedTags: Object.keys(POST_ELEMENTS),
  // The transforms below decide each value; only what they leave is listed there.
  allowedAttributes: Object.fromEntries(
    Object.entries(POST_ELEMENTS).map(([element, attributes]) => [element, [...attributes]]),
  ),
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  disallowedTagsMode: 'discard',
  nonTextTags: DROPPED_WHOLE,
  parseStyleAttributes: false,
  exclusiveFilter: emptied,
  transformTags: {
    a: link,
    img: picture,
    th: cell,
    td: cell,
    // An editor's names of the same things; the page itself has the only h1.
    b: renamed('strong'),
    i: renamed('em'),
    del: renamed('s'),
    strike: renamed('s'),
    h1: renamed('h2'),
    h5: renamed('h4'),
    h6: renamed('h4'),
  },
}

/**
 * What is left of the HTML under the policy above: everything else is removed, and of elements that lie too deep all but
 * the text. A long text takes long: everybody but the thread of its own calls it through `safe-html.ts`.
 */
export function safeHtml(html: string): string {
  const nesting = { depth: 0, removed: DROPPED_WHOLE }
  const safe = sanitizeHtml(html, {
    ...policy,
    parser: { Tokenizer: ShallowTokenizer, nesting } as ParserOptions,
    onOpenTag: () => void nesting.depth++,
    onCloseTag: () => void nesting.depth--,
  })
  return boundedMarks(safe)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const INLINE = /^<\/?(?:strong|em|u|s|a|code)[ >]/
const PIECES = /<[^>]*>|&\w+;|[^<&]+/g

/** The text of sanitised HTML on one line; reads no further than so many letters of it need. */
export function textOfHtml(safe: string, lettersMax = Number.POSITIVE_INFINITY): string {
  let text = ''
  for (const [piece] of safe.matchAll(PIECES)) {
    if (piece.startsWith('&')) text += entities[piece.slice(1, -1)] ?? piece
    else if (!piece.startsWith('<')) text += piece.replace(/\s+/g, ' ')
    else if (!INLINE.test(piece) && !text.endsWith(' ')) text += ' '
    if (text.length > lettersMax) break
  }
  return text.replace(/\s+/g, ' ').trim()
}

/** Whether there is anything to read in sanitised HTML. */
export const hasText = (safe: string): boolean => safe.replace(/<[^>]*>/g, '').trim() !== ''
