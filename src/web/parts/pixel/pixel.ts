import { isPixelPath } from '#contract/pages.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { isGranted } from '#web/parts/pixel/consent.ts'
import { randomId } from '#client/random-id.ts'

type PixelEventName = 'CompleteRegistration' | 'Subscribe' | 'ViewContent' | 'Contact'

type PixelEvent = { name: PixelEventName; content: Record<string, unknown>; eventId: string }

type Send = (event: PixelEvent) => void

const LATER_KEY = 'pixel-later'
const WAITING_MAX = 20

/** Where this document was opened: it decides for the whole life of the document whether the pixel may load. */
const openedAt = typeof location === 'undefined' ? '' : location.pathname

let send: Send | null = null
let waiting: PixelEvent[] = []
let isBlocked = false

/** Whether the pixel may be in this document, at the page with this path. */
export const mayUsePixel = (path: string) => !isBlocked && isPixelPath(openedAt) && isPixelPath(path)

/** From now on the pixel is not loaded into this document: it shows what the pixel must not read. */
export function blockPixel(): void {
  isBlocked = true
}

/** While it is loaded, this document must not show what the pixel must not read. */
export const isPixelLoaded = () => send !== null

/** Whether a page must be opened as a document of its own, since the pixel is in this one. */
export const mustLeaveDocument = (path: string) => isPixelLoaded() && !isPixelPath(path)

/** Reports an event of an open page to the pixel. Without consent nothing is stored, not even for later. */
export function reportToPixel(name: PixelEventName, content: Record<string, unknown> = {}): void {
  if (!isGranted() || !mayUsePixel(location.pathname)) return
  const event = { name, content, eventId: randomId() }
  if (send) send(event)
  else waiting = [...waiting, event].slice(-WAITING_MAX)
}

/** Stores an event of a page where the pixel may not be: it is reported on the next open page. */
export function reportToPixelLater(name: PixelEventName): void {
  if (!isGranted()) return
  writeLater([...readLater(), { name, content: {}, eventId: randomId() }].slice(-WAITING_MAX))
  flushLater()
}

/** The pixel has loaded: the events that waited for it are sent. */
export function connectPixel(sender: Send): void {
  send = sender
  for (const event of waiting) sender(event)
  waiting = []
  flushLater()
}

/** Sends the stored events when an open page is shown. */
export function flushLater(): void {
  if (!send || !isGranted() || !mayUsePixel(location.pathname)) return
  const events = readLater()
  if (events.length === 0) return
  writeLater([])
  for (const event of events) send(event)
}

/** Drops the events that wait. */
export function forgetWaiting(): void {
  waiting = []
  writeLater([])
}

function readLater(): PixelEvent[] {
  const events = readStored<PixelEvent[]>(LATER_KEY)
  return Array.isArray(events) ? (events as PixelEvent[]) : []
}

function writeLater(events: PixelEvent[]): void {
  writeStored(LATER_KEY, events.length === 0 ? null : JSON.stringify(events))
}

/** Who waits for the first money they sent, and since when: it may be credited while the portal is not open. */
type Awaited = { playerId: string; since_ms: number }

const STORAGE_KEY = 'pixel-recharge'
const WAIT_MAX_MS = 7 * 24 * 60 * 60 * 1000

export function expectRecharge(playerId: string): void {
  if (!isGranted()) return
  writeStored(STORAGE_KEY, JSON.stringify({ playerId, since_ms: Date.now() } satisfies Awaited))
}

export function isRechargeExpected(playerId: string): boolean {
  if (!isGranted()) return false
  const awaited = readStored<Awaited>(STORAGE_KEY)
  return awaited.playerId === playerId && Date.now() - Number(awaited.since_ms) < WAIT_MAX_MS
}

export const forgetExpectedRecharge = () => writeStored(STORAGE_KEY, null)
