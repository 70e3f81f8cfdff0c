type Marked = {
  element: HTMLElement
  level: number
  isNumbered: boolean
  /** Which of the document's lists it belongs to. */
  list: string
}

/** Word's list is paragraphs with a drawn mark, Word's site has a list of its own for each item: both become lists. */
export function joinLists(root: HTMLElement): void {
  const marked = new Map<Element, Marked>()
  for (const paragraph of root.querySelectorAll<HTMLElement>('p, div, h1, h2, h3, h4')) {
    const found = markOf(paragraph)
    if (found) marked.set(paragraph, found)
  }
  for (const item of root.querySelectorAll<HTMLElement>('li[data-aria-level]')) {
    const outer = outermostOf(item)
    marked.set(outer, {
      element: item,
      level: Number(item.getAttribute('data-aria-level')) || 1,
      isNumbered: item.parentElement?.tagName === 'OL',
      list: item.dataset['listid'] ?? '',
    })
  }
  const done = new Set<Element>()
  for (const [place, first] of marked) {
    if (done.has(place)) continue
    const run: [Element, Marked][] = []
    for (let next: Element | null = place; next !== null; next = next.nextElementSibling) {
      const mark = marked.get(next)
      if (mark === undefined || mark.list !== first.list) break
      run.push([next, mark])
      done.add(next)
    }
    place.before(...nested(run.map(([, mark]) => mark)))
    for (const [gone] of run) gone.remove()
  }
}

/** The list of one item on Word's site, with the boxes around it. */
function outermostOf(item: HTMLElement): Element {
  let outer: Element = item
  while (
    outer.parentElement !== null &&
    outer.parentElement !== item.ownerDocument.body &&
    outer.parentElement.children.length === 1
  )
    outer = outer.parentElement
  return outer
}

const WORD_LIST = /mso-list\s*:\s*(l\d+)[^;]*\blevel(\d)/i
const WORD_MARK = /mso-list\s*:\s*ignore/i

const NUMBER = String.raw`\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivxlcdm]{1,7})[.)]`
const BULLET = String.raw`[·•▪◦‣∙●○■□§ØüvqoàÞ\uf000-\uf0ff–*-]`
/** A mark at the beginning of a paragraph, where Word's own sign of it was taken away: behind it blanks that were a tab. */
const DRAWN_MARK = new RegExp(String.raw`^\s*(${NUMBER}|${BULLET})(?:[ \n]*\u00a0[\u00a0 \n]*|\t\s*)`, 'iu')
const IS_NUMBER = new RegExp(`^${NUMBER}$`, 'iu')

function markOf(paragraph: HTMLElement): Marked | null {
  const style = paragraph.getAttribute('data-style') ?? ''
  const [, list = '', level] = WORD_LIST.exec(style) ?? []
  const sign = [...paragraph.querySelectorAll<HTMLElement>('[data-style]')].find((element) =>
    WORD_MARK.test(element.getAttribute('data-style') ?? ''),
  )
  if (sign !== undefined && paragraph.querySelector('p, div') === null) {
    const mark = (sign.textContent ?? '').replace(/[\s\u00a0]/g, '')
    sign.remove()
    return { element: paragraph, level: Number(level ?? 1), isNumbered: IS_NUMBER.test(mark), list }
  }
  const isWordList = /\bMsoListParagraph/.test(paragraph.className) || level !== undefined
  const [drawn, mark = ''] = DRAWN_MARK.exec(paragraph.textContent ?? '') ?? []
  if (drawn === undefined || paragraph.querySelector('p, div, table') !== null) return null
  // Anywhere else a letter with a full stop may begin a sentence.
  if (!isWordList && !/^[·•▪◦‣∙●○■□\uf000-\uf0ff]$/u.test(mark)) return null
  dropLetters(paragraph, drawn.length)
  return { element: paragraph, level: Number(level ?? 1), isNumbered: IS_NUMBER.test(mark), list }
}

/** Takes so many letters off the beginning of an element. */
function dropLetters(element: HTMLElement, count: number): void {
  const walker = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let left = count; left > 0 && walker.nextNode() !== null;) {
    const text = walker.currentNode as Text
    const taken = Math.min(left, text.data.length)
    text.data = text.data.slice(taken)
    left -= taken
  }
}

type Open = { list: HTMLElement; level: number; isNumbered: boolean; last: HTMLElement }

/** Items one after the other as lists in lists. */
function nested(items: readonly Marked[]): HTMLElement[] {
  const lists: HTMLElement[] = []
  const open: Open[] = []
  for (const { element, level, isNumbered } of items) {
    while ((open.at(-1)?.level ?? 0) > level) open.pop()
    const item = element.ownerDocument.createElement('li')
    item.append(...element.childNodes)
    const same = open.at(-1)?.level === level ? open.at(-1) : undefined
    if (same?.isNumbered === isNumbered) {
      same.list.append(item)
      same.last = item
      continue
    }
    if (same) open.pop()
    const list = element.ownerDocument.createElement(isNumbered ? 'ol' : 'ul')
    list.append(item)
    const parent = open.at(-1)
    if (parent) parent.last.append(list)
    else lists.push(list)
    open.push({ list, level, isNumbered, last: item })
  }
  return lists
}
