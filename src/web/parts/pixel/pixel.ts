import { isPixelPath } from '#contract/pixel.ts'
import { isGranted } from '#web/parts/pixel/consent.ts'

type PixelEventName = 'CompleteRegistration' | 'Subscribe' | 'ViewContent' | 'Contact'

type PixelEvent = { name: PixelEventName; content: Record<string, unknown>; eventId: string }

type Send = (event: PixelEvent) => void

const LATER_KEY = 'pixel-later'
const WAITING_MAX = 20

/** Where this document was opened: it decides for the whole life of the document whether the pixel may load. */
const openedAt = typeof location === 'undefined' ? '' : location.pathname

let send: Send | null = null
let waiting: PixelEvent[] = []
let isKeptOut = false

/** Whether the pixel may be in this document, at the page with this path. */
export const mayUsePixel = (path: string) => !isKeptOut && isPixelPath(openedAt) && isPixelPath(path)

/** From then on the pixel does not load into this document any more: it shows what the pixel has no business seeing. */
export function keepPixelOut(): void {
  isKeptOut = true
}

/** From then on this document must not show anything that the pixel has no business seeing. */
export const isPixelLoaded = () => send !== null

/** Whether a page must be opened as a document of its own, since the pixel is in this one. */
export const mustLeaveDocument = (path: string) => isPixelLoaded() && !isPixelPath(path)

/** Tells the pixel what happens on an open page. Without consent nothing is kept, not even for later. */
export function reportToPixel(name: PixelEventName, content: Record<string, unknown> = {}): void {
  if (!isGranted() || !mayUsePixel(location.pathname)) return
  const event = { name, content, eventId: newEventId() }
  if (send) send(event)
  else waiting = [...waiting, event].slice(-WAITING_MAX)
}

/** Notes what happened where the pixel may not be: it is told on the next open page. */
export function reportToPixelLater(name: PixelEventName): void {
  if (!isGranted()) return
  writeLater([...readLater(), { name, content: {}, eventId: newEventId() }].slice(-WAITING_MAX))
  flushLater()
}

/** The pixel has loaded: it hears what waited for it. */
export function connectPixel(sender: Send): void {
  send = sender
  for (const event of waiting) sender(event)
  waiting = []
  flushLater()
}

/** Tells what was noted, when an open page is shown. */
export function flushLater(): void {
  if (!send || !isGranted() || !mayUsePixel(location.pathname)) return
  const events = readLater()
  if (events.length === 0) return
  writeLater([])
  for (const event of events) send(event)
}

/** Nothing that waited is told any more. */
export function forgetWaiting(): void {
  waiting = []
  writeLater([])
}

function readLater(): PixelEvent[] {
  try {
    const events: unknown = JSON.parse(localStorage.getItem(LATER_KEY) ?? '[]')
    return Array.isArray(events) ? (events as PixelEvent[]) : []
  } catch {
    // Something else wrote there, or storage is forbidden: nothing was noted.
    return []
  }
}

function writeLater(events: PixelEvent[]): void {
  try {
    if (events.length === 0) localStorage.removeItem(LATER_KEY)
    else localStorage.setItem(LATER_KEY, JSON.stringify(events))
  } catch {
    // An advertiser's count is not worth an error to the player.
  }
}

/** Not `randomUUID`, which plain http lacks. */
function newEventId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
