import type { ParserOptions } from 'htmlparser2'
import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html'
import { cellAttributes, linkAttributes, pictureAttributes, POST_ELEMENTS } from '#contract/post-html.ts'
import { boundedMarks } from './clean-text.rules.ts'
import { ShallowTokenizer } from './shallow-html.rules.ts'

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

/** Pictures of other hosts are removed; a link to an unsafe address keeps its text. */
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
    // An editor's spelling of the same things; the page itself has the only h1.
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
export function textOfHtml(safe: string, lettersWanted = Number.POSITIVE_INFINITY): string {
  let text = ''
  for (const [piece] of safe.matchAll(PIECES)) {
    if (piece.startsWith('&')) text += entities[piece.slice(1, -1)] ?? piece
    else if (!piece.startsWith('<')) text += piece.replace(/\s+/g, ' ')
    else if (!INLINE.test(piece) && !text.endsWith(' ')) text += ' '
    if (text.length > lettersWanted) break
  }
  return text.replace(/\s+/g, ' ').trim()
}

/** Whether there is anything to read in sanitised HTML. */
export const hasText = (safe: string): boolean => safe.replace(/<[^>]*>/g, '').trim() !== ''
