import { parsedUrl } from './parsed-url.ts'

/** Uploaded pictures are stored in these widths. */
export const PICTURE_WIDTHS = [320, 640, 960, 1280] as const

/** The width a browser without `srcset` loads. */
const USUAL_WIDTH = 640

const UPLOAD = /^\/uploads\/([0-9a-f]{32})-(?:320|640|960|1280)\.webp$/

export const uploadBase = (hash: string) => `/uploads/${hash}`

export const uploadAddress = (hash: string, width: number) => `${uploadBase(hash)}-${width}.webp`

/** The hash in the address of an uploaded picture; null for any other address. */
export const uploadHash = (address: string): string | null => UPLOAD.exec(address)?.[1] ?? null

/** The attributes of an `img` that shows an uploaded picture, besides its text and its size. */
export const uploadSources = (hash: string) => ({
  src: uploadAddress(hash, USUAL_WIDTH),
  srcset: PICTURE_WIDTHS.map((width) => `${uploadAddress(hash, width)} ${width}w`).join(', '),
  sizes: '(min-width: 48rem) 768px, 94vw',
})

/** A cover is one of our own pictures: a path below `/images/` or an uploaded picture, without the width. */
export const COVER = /^\/(?:images\/[a-z0-9/_-]{1,120}|uploads\/[0-9a-f]{32})$/

/**
 * The HTML of a post: text, structure, our own pictures and links. The sanitiser leaves nothing else, and the editor's
 * schema can express all of it and nothing else.
 */
export const POST_ELEMENTS = {
  h2: [],
  h3: [],
  h4: [],
  p: [],
  ul: [],
  ol: [],
  li: [],
  table: [],
  caption: [],
  thead: [],
  tbody: [],
  tfoot: [],
  tr: [],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
  strong: [],
  em: [],
  u: [],
  s: [],
  blockquote: [],
  code: [],
  pre: [],
  hr: [],
  br: [],
  figure: [],
  figcaption: [],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading'],
  a: ['href', 'rel', 'target'],
} as const satisfies Record<string, readonly string[]>

type Attributes = Record<string, string>
type Given = Record<string, string | null | undefined>

// Browsers skip some of these inside an address, and so must we: "/\t/evil.example" leads away there.
// eslint-disable-next-line no-control-regex
const IGNORED_IN_URLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

const OWN_PICTURE = /^\/(?:images|uploads)(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/
const OWN_PAGE = /^\/(?![/\\])[^\s\\"'<>]*$/
const MAIL_OR_PHONE = /^(?:mailto:[^\s"'<>@]+@[^\s"'<>@]+|tel:\+?[0-9().-]{3,20})$/i

/** The address of another site as a browser would read it, or null when it is none we link to. */
function outsideUrl(address: string): string | null {
  const url = /^https?:\/\//i.test(address) ? parsedUrl(address) : null
  if (url === null) return null
  // "https://our-bank.vn@evil.example" deceives the reader.
  return url.username === '' && url.password === '' ? url.href : null
}

/** The attributes of a link; null when it leads where no link of ours does. */
export function linkAttributes({ href }: Given): Attributes | null {
  const address = (href ?? '').replace(IGNORED_IN_URLS, '').trim()
  if (OWN_PAGE.test(address) || MAIL_OR_PHONE.test(address)) return { href: address }
  const outside = outsideUrl(address)
  return outside === null ? null : { href: outside, rel: 'noopener nofollow ugc', target: '_blank' }
}

const digits = (name: string, value: string | null | undefined, max: number): Attributes =>
  /^[1-9]\d{0,3}$/.test(value ?? '') && Number(value) <= max ? { [name]: value as string } : {}

/** The attributes of a picture; null when it is none of ours. An uploaded one is offered in all its widths. */
export function pictureAttributes({ src, alt, width, height, loading }: Given): Attributes | null {
  if (!OWN_PICTURE.test(src ?? '')) return null
  const hash = uploadHash(src ?? '')
  return {
    ...(hash === null ? { src: src as string } : uploadSources(hash)),
    alt: alt ?? '',
    ...digits('width', width, 4096),
    ...digits('height', height, 4096),
    loading: loading === 'eager' ? 'eager' : 'lazy',
  }
}

const SCOPE = /^(?:col|row|colgroup|rowgroup)$/

export function cellAttributes(element: 'th' | 'td', { colspan, rowspan, scope }: Given): Attributes {
  return {
    ...digits('colspan', colspan, 20),
    ...digits('rowspan', rowspan, 100),
    ...(element === 'th' && SCOPE.test(scope ?? '') ? { scope: scope as string } : {}),
  }
}
