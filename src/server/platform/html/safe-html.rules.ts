import sanitizeHtml, { type Attributes, type Tag } from 'sanitize-html'

/**
 * The HTML an operator may write: text, structure, our own pictures and links. Everything else is removed,
 * when it is written and again whenever it is shown, so that a row that came into a table another way is harmless.
 */
const ALLOWED_TAGS = [
  'h2',
  'h3',
  'h4',
  'p',
  'ul',
  'ol',
  'li',
  'table',
  'caption',
  'thead',
  'tbody',
  'tfoot',
  'tr',
  'th',
  'td',
  'strong',
  'em',
  'u',
  's',
  'blockquote',
  'code',
  'pre',
  'hr',
  'br',
  'figure',
  'figcaption',
  'img',
  'a',
]

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

// Browsers skip some of these inside an address, and so must we: "/\t/evil.example" leads away there.
// eslint-disable-next-line no-control-regex
const IGNORED_IN_URLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

const OWN_PICTURE = /^\/(?:images|uploads)(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/
const OWN_PAGE = /^\/(?![/\\])[^\s\\"'<>]*$/
const MAIL_OR_PHONE = /^(?:mailto:[^\s"'<>@]+@[^\s"'<>@]+|tel:\+?[0-9().-]{3,20})$/i

/** The address of another site as a browser would read it, or null when it is none we link to. */
function outsideUrl(address: string): string | null {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return null
  const url = new URL(address)
  // "https://our-bank.vn@evil.example" deceives the reader.
  return url.username === '' && url.password === '' ? url.href : null
}

function link(_: string, { href = '' }: Attributes): Tag {
  const address = href.replace(IGNORED_IN_URLS, '').trim()
  if (OWN_PAGE.test(address) || MAIL_OR_PHONE.test(address))
    return { tagName: 'a', attribs: { href: address } }
  const outside = outsideUrl(address)
  if (outside === null) return { tagName: 'a', attribs: {} }
  return {
    tagName: 'a',
    attribs: { href: outside, rel: 'noopener nofollow ugc', target: '_blank' },
  }
}

const digits = (name: string, value: string | undefined, max: number): Attributes =>
  value !== undefined && /^[1-9]\d{0,3}$/.test(value) && Number(value) <= max ? { [name]: value } : {}

function picture(_: string, { src = '', alt = '', width, height, loading }: Attributes): Tag {
  if (!OWN_PICTURE.test(src)) return { tagName: 'img', attribs: {} }
  return {
    tagName: 'img',
    attribs: {
      src,
      alt,
      ...digits('width', width, 4096),
      ...digits('height', height, 4096),
      loading: loading === 'eager' ? 'eager' : 'lazy',
    },
  }
}

const cell = (tagName: string, { colspan, rowspan, scope }: Attributes): Tag => ({
  tagName,
  attribs: {
    ...digits('colspan', colspan, 20),
    ...digits('rowspan', rowspan, 100),
    ...(tagName === 'th' && /^(col|row|colgroup|rowgroup)$/.test(scope ?? '')
      ? { scope: scope as string }
      : {}),
  },
})

/** Pictures of other hosts are removed; a link to an unsafe address keeps its text. */
const emptied: sanitizeHtml.IOptions['exclusiveFilter'] = ({ tag, attribs }) =>
  (tag === 'img' && !attribs.src) || (tag === 'a' && !attribs.href && 'excludeTag')

const renamed = (tagName: string) => (): Tag => ({ tagName, attribs: {} })

const policy: sanitizeHtml.IOptions = {
  allowedTags: ALLOWED_TAGS,
  // The transforms below decide each value; only what they leave is listed here.
  allowedAttributes: {
    a: ['href', 'rel', 'target'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
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

/** What is left of the HTML under the policy above. */
export function safeHtml(html: string): string {
  return sanitizeHtml(html, policy)
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
