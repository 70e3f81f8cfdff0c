import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html'
import { cellAttributes, linkAttributes, pictureAttributes, POST_ELEMENTS } from '#contract/post-html.ts'

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

/** Deeper than any real text; keeps a hostile one from costing a browser its stack. */
const NESTING_MAX = 40

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
  nestingLimit: NESTING_MAX,
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
 * What is left of the HTML under the policy above. Everything else is removed, when it is written and again whenever it
 * is shown, so that a row that came into a table another way is harmless.
 */
export function safeHtml(html: string): string {
  return sanitizeHtml(html, policy)
}

/** In letters, of what is kept and what it was made of. */
const KEPT_MAX = 2_000_000
const kept = new Map<string, string>()
let keptLength = 0

/** The same for what is shown again and again: the answer depends on the text alone, so it is made once for it. */
export function shownHtml(html: string): string {
  const known = kept.get(html)
  if (known !== undefined) return known
  const safe = safeHtml(html)
  const length = html.length + safe.length
  if (length > KEPT_MAX / 10) return safe
  if (keptLength + length > KEPT_MAX) {
    kept.clear()
    keptLength = 0
  }
  kept.set(html, safe)
  keptLength += length
  return safe
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** The text of sanitised HTML on one line. */
export function textOfHtml(safe: string): string {
  return safe
    .replace(/<\/?(?:strong|em|u|s|a|code)(?: [^>]*)?>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] as string)
    .replace(/\s+/g, ' ')
    .trim()
}
