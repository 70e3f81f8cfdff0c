import type { ClientErrorKind, reportClientError } from '#contract/client-errors.ts'
import type { BodyInputOf } from '#contract/endpoint.ts'

/** Of one document: a page that breaks again and again is told a few times. */
const REPORTS_MAX = 5
const FRAMES_MAX = 5

type Report = BodyInputOf<typeof reportClientError>

/** What a site says about itself; nothing on the server and in development, where nothing is told. */
let watched: (Pick<Report, 'site' | 'release'> & { pageOf: () => string }) | undefined
const told = new Set<string>()

/**
 * Tells the portal, by reportClientError, of an error that somebody has caught. Not lazy: what it has to tell may be that no
 * lazy code arrives. The server removes what names people; what comes of extensions and other foreign scripts is left out.
 */
export function reportError(error: unknown, kind: ClientErrorKind): void {
  const { name, message, stack = '' } = Object(error) as Partial<Error>
  // A call that failed is the server's to know, or the network's.
  if (watched && name !== 'CallError' && name !== 'AbortError')
    tell(name ? `${name}: ${message}` : String(error), stack, kind)
}

function tell(message: string, stack: string, kind: ClientErrorKind): void {
  try {
    if (!watched) return
    const { pageOf, ...site } = watched
    const own = `${location.origin}/`
    // The first address of a stack is that of the script that failed.
    if (!(/[\w-]+:\/\/\S*/.exec(stack)?.[0] ?? own).startsWith(own)) return
    const places = stack
      .split(own)
      .map((frame) => /^[\w/.-]+\.js:\d+:\d+/.exec(frame)?.[0])
      .filter(Boolean)
    // Without one it may be anybody's, unless one of our boundaries has caught it.
    if (!places[0] && (kind === 'script' || kind === 'promise')) return
    const key = message + places[0]
    if (told.size >= REPORTS_MAX || told.has(key)) return
    told.add(key)
    const report: Report = {
      ...site,
      kind,
      page: pageOf(),
      message: message.slice(0, 500),
      place: places.slice(0, FRAMES_MAX).join('\n'),
      engine: navigator.userAgent,
    }
    navigator.sendBeacon(
      '/api/client-errors',
      new Blob([JSON.stringify(report)], { type: 'application/json' }),
    )
  } catch {
    // The reporter must not be what breaks a page.
  }
}

/** From here on errors that nobody catches are told; `entry` is the address of the document's script, whose name has its hash. */
export function watchErrors(site: Report['site'], entry: string, pageOf: () => string): void {
  watched = { site, release: /-([\w-]+)\.js/.exec(entry)?.[1] ?? '', pageOf }
  addEventListener('error', ({ error, message, filename, lineno, colno }) => {
    if (error) reportError(error, 'script')
    else tell(message, `${filename}:${lineno}:${colno}`, 'script')
  })
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason, 'promise'))
}
