import type { ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import { DrawingContext, type Part } from '#web/kept-part.tsx'

type Drawn = {
  html: string
  /** Links of pictures that the browser should fetch first: they stand at the beginning of the page. */
  preloads: Set<string>
}

const KEPT_LENGTH_MAX = 1_000_000

/** No text of a page has it. */
const MARK = `part-${crypto.randomUUID()}-`
const MARKS = new RegExp(`<i id="${MARK}(\\d+)"></i>`)
const PRELOADS = /^(?:<link rel="preload"[^>]*>)+/

const numbers = new Map<object, number>()
const known = new Map<string, Drawn>()
let knownLength = 0

/** Draws a page, and of its parts that are kept (`keptPart`) those that are not known yet. `around` is what each of them stands in. */
export function drawInParts(page: ReactNode, around: (drawn: ReactNode) => ReactNode): string {
  const { preloads, html } = draw({ component: null, drawn: page }, around)
  return [...preloads, html].join('')
}

type Drawable = { component: object | null; drawn: ReactNode }

function draw({ component, drawn }: Drawable, around: (drawn: ReactNode) => ReactNode): Drawn {
  const parts: Part[] = []
  const placeOf = (part: Part) => <i id={MARK + String(parts.push(part) - 1)} />
  const whole = renderToString(
    around(<DrawingContext value={{ placeOf, component }}>{drawn}</DrawingContext>),
  )
  const own = PRELOADS.exec(whole)?.[0] ?? ''
  const preloads = new Set<string>()
  // The numbers of the marks stand between the texts.
  const texts = whole.slice(own.length).split(MARKS)
  for (let at = 1; at < texts.length; at += 2) {
    const part = drawPart(parts[Number(texts[at])] as Part, around)
    texts[at] = part.html
    for (const preload of part.preloads) preloads.add(preload)
  }
  if (own !== '') preloads.add(own)
  return { html: texts.join(''), preloads }
}

/** Names may be the same in two files. */
function numberOf(component: object): number {
  const number = numbers.get(component) ?? numbers.size
  numbers.set(component, number)
  return number
}

const texts = new WeakMap<object, string>()

/** As JSON. What was read before and says the same is the same object. */
function textOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const text = texts.get(value) ?? JSON.stringify(value)
  texts.set(value, text)
  return text
}

function drawPart(part: Part, around: (drawn: ReactNode) => ReactNode): Drawn {
  const key = [numberOf(part.component), ...part.by.map(textOf)].join()
  const found = known.get(key)
  // The first are those that were shown least recently.
  if (found) known.delete(key)
  const drawn = found ?? draw(part, around)
  known.set(key, drawn)
  if (!found) {
    knownLength += lengthOf(key, drawn)
    for (const [oldest, old] of known) {
      if (knownLength <= KEPT_LENGTH_MAX) break
      known.delete(oldest)
      knownLength -= lengthOf(oldest, old)
    }
  }
  return drawn
}

const lengthOf = (key: string, { html }: Drawn) => key.length + html.length
