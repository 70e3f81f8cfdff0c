import { linkAttributes, pictureAttributes } from '#contract/post-html.ts'
import { emojiOfPicture } from './emoji-pictures.ts'
import { joinLists } from './pasted-lists.ts'

/** What a paste cannot bring along; `formats` are fonts and colours, which posts have from the page. */
export const LEFT_OUT = [
  'foreignPictures',
  'unreadablePictures',
  'films',
  'drawings',
  'fields',
  'links',
  'raisedLetters',
  'comments',
  'formats',
] as const
export type LeftOut = Partial<Record<(typeof LEFT_OUT)[number], number>>

export type Pasted = {
  html: string
  leftOut: LeftOut
  /** Pictures that came inside the HTML: they are uploaded before they can be in a post. */
  pictures: File[]
}

type Work = { root: HTMLElement; count: (what: keyof LeftOut) => void; pictures: File[] }

/**
 * HTML as other programs put it on the clipboard (Word, Google Docs, Facebook, Zalo, pages), made into what a post can hold;
 * what it cannot hold is counted, so that nothing is lost without a word.
 */
export function readPastedHtml(html: string): Pasted {
  const root = parsePasted(html)
  const leftOut: LeftOut = {}
  const pictures: File[] = []
  const work: Work = {
    root,
    count: (what) => (leftOut[what] = (leftOut[what] ?? 0) + 1),
    pictures,
  }
  removeUnseen(work)
  readPictures(work)
  readMedia(work)
  readLinks(work)
  readHeadings(work)
  readLetters(work)
  countFormats(work)
  keepLineBreaks(work)
  joinLists(root)
  joinTableBodies(work)
  readMarks(work)
  return { html: root.innerHTML, leftOut, pictures }
}

const STYLE = 'data-style'
const TAG = /<[a-z](?:"[^"]*"|'[^']*'|[^>"'])*>/gi

/**
 * The body of pasted HTML. Styles are under another name, since the policy of the document forbids them; Word's conditions
 * would hide the marks of its lists.
 */
export function parsePasted(html: string): HTMLElement {
  const plain = html
    .replace(/<!(?:--)?\[(?:if|endif)[^\]]*\](?:--)?>/gi, '')
    .replace(/<style\b[\s\S]*?<\/style>/gi, '')
    .replace(TAG, (tag) => tag.replace(/(\s)style(\s*=)/gi, `$1${STYLE}$2`))
  return new DOMParser().parseFromString(plain, 'text/html').body
}

const all = (root: HTMLElement, selector: string) => [...root.querySelectorAll<HTMLElement>(selector)]
const styleOf = (element: HTMLElement) => element.getAttribute(STYLE) ?? ''

/** What the writer did not see either, and Word's comments, which a reader of the page should not see. */
function removeUnseen({ root, count }: Work): void {
  for (const element of all(
    root,
    `[${STYLE}*="mso-element:comment-list"], [${STYLE}*="mso-element: comment-list"]`,
  )) {
    element.remove()
    count('comments')
  }
  for (const element of all(root, '.MsoCommentReference')) element.remove()
  for (const element of all(root, `[${STYLE}], [hidden]`))
    if (element.hidden || /(?:display\s*:\s*none|mso-hide\s*:\s*all)/i.test(styleOf(element)))
      element.remove()
}

function readPictures({ root, count, pictures }: Work): void {
  for (const picture of all(root, 'img, picture > source')) {
    const source = picture.getAttribute('src') ?? ''
    if (picture.tagName === 'SOURCE') picture.remove()
    else if (pictureAttributes({ src: source }) === null) {
      const text = emojiOfPicture(picture) ?? checkedSign(picture)
      if (text !== null) picture.replaceWith(text)
      else {
        const file = fileOf(source)
        if (file) pictures.push(file)
        else if (!isTrackingPixel(picture))
          count(/^https?:|^\/\//i.test(source) ? 'foreignPictures' : 'unreadablePictures')
        picture.remove()
      }
    }
  }
}

/** Google Docs draws the box of a task as a picture. */
function checkedSign(picture: HTMLElement): string | null {
  const item = picture.closest('[role="checkbox"]')
  return item === null ? null : item.getAttribute('aria-checked') === 'true' ? '☑ ' : '☐ '
}

const isTrackingPixel = (picture: HTMLElement): boolean =>
  ['width', 'height'].every((side) => ['0', '1'].includes(picture.getAttribute(side) ?? ''))

const DATA_PICTURE = /^data:(image\/(?:png|jpeg|webp));base64,([a-z0-9+/=\s]+)$/i

function fileOf(source: string): File | null {
  const [, type, data] = DATA_PICTURE.exec(source) ?? []
  if (type === undefined || data === undefined) return null
  try {
    const bytes = Uint8Array.from(atob(data.replace(/\s/g, '')), (letter) => letter.charCodeAt(0))
    return new File([bytes], `anh-dan.${type.slice('image/'.length).toLowerCase()}`, {
      type: type.toLowerCase(),
    })
  } catch {
    return null
  }
}

function readMedia({ root, count }: Work): void {
  for (const element of all(root, 'video, audio, iframe, embed, object')) {
    element.remove()
    count('films')
  }
  for (const element of all(root, 'svg, canvas, math, map')) {
    element.remove()
    count('drawings')
  }
  for (const box of all(root, 'input[type="checkbox"]'))
    box.replaceWith(box.hasAttribute('checked') ? '☑ ' : '☐ ')
  for (const element of all(root, 'input:not([type="hidden"]), select, textarea')) {
    element.remove()
    count('fields')
  }
}

/** A link that leads where no post may lead stays as its text. */
function readLinks({ root, count }: Work): void {
  for (const link of all(root, 'a[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (linkAttributes({ href }) !== null) continue
    link.replaceWith(...link.childNodes)
    count('links')
  }
}

/** As the sanitiser renames them: the title of the page is its only first heading. */
function readHeadings({ root }: Work): void {
  for (const heading of all(root, 'h1, h5, h6, [role="heading"], p.MsoTitle')) {
    const level = Number(/^H(\d)$/.exec(heading.tagName)?.[1] ?? heading.getAttribute('aria-level') ?? 1)
    rename(heading, `h${Math.min(Math.max(level, 2), 4)}`)
  }
}

function rename(element: HTMLElement, tag: string): void {
  const renamed = element.ownerDocument.createElement(tag)
  renamed.append(...element.childNodes)
  element.replaceWith(renamed)
}

const RAISED = new Map(
  ['⁰0', '¹1', '²2', '³3', '⁴4', '⁵5', '⁶6', '⁷7', '⁸8', '⁹9', '⁺+', '⁻-', 'ⁿn'].map(([sign, letter]) => [
    letter,
    sign,
  ]),
)
const LOWERED = new Map([...'₀₁₂₃₄₅₆₇₈₉'].map((sign, digit) => [String(digit), sign]))

/** `m<sup>2</sup>` would read "m2". */
function readLetters({ root, count }: Work): void {
  for (const element of all(root, 'sup, sub')) {
    const signs = element.tagName === 'SUP' ? RAISED : LOWERED
    const letters = [...(element.textContent ?? '').trim()]
    if (letters.length > 0 && letters.every((letter) => signs.has(letter)) && element.children.length === 0)
      element.textContent = letters.map((letter) => signs.get(letter)).join('')
    else if (letters.length > 0) count('raisedLetters')
  }
}

const CHOSEN_FORMAT = /(?:^|;)\s*(?:color|background(?:-color)?|font-(?:family|size)|text-align)\s*:/i

/** Once for the whole text: every word of Word has a font. */
function countFormats({ root, count }: Work): void {
  const isFormatted = all(root, `[${STYLE}], font, mark, [align], [bgcolor]`).some(
    (element) =>
      element.tagName === 'FONT' ||
      element.tagName === 'MARK' ||
      element.hasAttribute('align') ||
      element.hasAttribute('bgcolor') ||
      CHOSEN_FORMAT.test(styleOf(element)),
  )
  if (isFormatted) count('formats')
}

/** Facebook and Zalo part lines by their ends alone, which the editor reads as blanks. */
function keepLineBreaks({ root }: Work): void {
  for (const element of all(root, `[${STYLE}*="white-space"]`)) {
    if (
      !/white-space(?:-collapse)?\s*:\s*(?:pre|pre-wrap|pre-line|break-spaces|preserve)/i.test(
        styleOf(element),
      )
    )
      continue
    const texts: Text[] = []
    const walker = root.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    for (const text of texts) {
      const lines = text.data.split('\n')
      // What only parts the tags in the source is no line.
      if (lines.length === 1 || text.data.trim() === '') continue
      text.replaceWith(
        ...lines.flatMap((line, n) => (n === 0 ? [line] : [root.ownerDocument.createElement('br'), line])),
      )
    }
  }
}

/** A table of a post has one body. */
function joinTableBodies({ root }: Work): void {
  for (const table of all(root, 'table')) {
    const [first, ...others] = [...table.children].filter(({ tagName }) => tagName === 'TBODY')
    for (const body of others) {
      first?.append(...body.childNodes)
      body.remove()
    }
  }
}

const BLOCKS = 'p, div, ul, ol, table, blockquote, h1, h2, h3, h4, h5, h6, pre, figure'

/** Google Docs and Word's site write emphasis as styles, and with `<b style="font-weight:normal">` none. */
function readMarks({ root }: Work): void {
  for (const element of all(root, `[${STYLE}]`)) {
    const style = styleOf(element)
    element.removeAttribute(STYLE)
    if (/^(?:B|STRONG)$/.test(element.tagName) && /font-weight\s*:\s*(?:normal|[1-5]00)/i.test(style))
      element.replaceWith(...element.childNodes)
    else if (element.querySelector(BLOCKS) === null) emphasise(element, style)
  }
}

/** Headings are bold and links underlined without it; between the parts of tables and lists no mark may stand. */
const UNMARKED = /^(?:H\d|A|T(?:H|R|ABLE|BODY|HEAD|FOOT)|COL(?:GROUP)?|[UO]L|IMG|FIGURE|BR|HR)$/

const EMPHASIS: [tag: string, style: RegExp][] = [
  ['strong', /font-weight\s*:\s*(?:bold|[6-9]00)/i],
  ['em', /font-style\s*:\s*(?:italic|oblique)/i],
  ['u', /text-decoration[^;]*:[^;]*underline/i],
  ['s', /text-decoration[^;]*:[^;]*line-through/i],
]

function emphasise(element: HTMLElement, style: string): void {
  if (UNMARKED.test(element.tagName)) return
  for (const [tag, pattern] of EMPHASIS) {
    if (!pattern.test(style)) continue
    const mark = element.ownerDocument.createElement(tag)
    mark.append(...element.childNodes)
    element.append(mark)
  }
}
