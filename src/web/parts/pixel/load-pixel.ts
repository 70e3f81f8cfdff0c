import { PIXEL_SCRIPT_ORIGIN } from '#contract/pages.ts'
import { connectPixel, isPixelLoaded } from '#web/parts/pixel/pixel.ts'

type PixelCall = (...call: unknown[]) => void

/** The queue that Meta's script expects to find and takes over. */
type PixelQueue = PixelCall & {
  callMethod?: PixelCall
  push: PixelCall
  queue: unknown[][]
  loaded: boolean
  version: string
  disablePushState: boolean
}

type PixelWindow = typeof globalThis & { fbq?: PixelQueue; _fbq?: PixelQueue }

const page = globalThis as PixelWindow

/** Loads the pixel into this document, once. It watches neither clicks nor the history and gets only the events sent to it. */
export function loadPixel(pixelId: string): void {
  if (isPixelLoaded()) return call('consent', 'grant')
  makeQueue()
  call('set', 'autoConfig', false, pixelId)
  call('consent', 'revoke')
  call('init', pixelId)
  call('consent', 'grant')
  const script = document.createElement('script')
  script.async = true
  script.src = `${PIXEL_SCRIPT_ORIGIN}/en_US/fbevents.js`
  document.head.append(script)
  connectPixel(({ name, content, eventId }) => call('track', name, content, { eventID: eventId }))
}

function call(...words: unknown[]): void {
  page.fbq?.(...words)
}

function makeQueue(): void {
  const queue = ((...words: unknown[]) => {
    if (queue.callMethod) queue.callMethod(...words)
    else queue.queue.push(words)
  }) as PixelQueue
  queue.push = queue
  queue.queue = []
  queue.loaded = true
  queue.version = '2.0'
  queue.disablePushState = true
  page.fbq = queue
  page._fbq = queue
}
