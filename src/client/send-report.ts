import type { ClientErrorKind, reportClientError } from '#contract/client-errors.ts'
import type { BodyInputOf } from '#contract/endpoint.ts'

/** Of one document: a page that breaks again and again is told a few times. */
const REPORTS_MAX = 5
const FRAMES_MAX = 5

type Report = BodyInputOf<typeof reportClientError>

/** What a site says about itself: `entry` is the address of its first script, whose name has the hash of the build. */
export type WatchedSite = Pick<Report, 'site'> & { entry: string; pageOf: () => string }

const told = new Set<string>()

/**
 * Sends an error, which outlives the page. The server removes what names people; what comes of extensions and other foreign
 * scripts is left out.
 */
export function sendReport(
  { site, entry, pageOf }: WatchedSite,
  error: unknown,
  kind: ClientErrorKind,
): void {
  const { name, message, stack = '' } = Object(error) as Partial<Error>
  // A call that failed is the server's to know, or the network's.
  if (name === 'CallError' || name === 'AbortError') return
  const own = `${location.origin}/`
  // The first address of a stack is that of the script that failed.
  if (!(/[\w-]+:\/\/\S*/.exec(stack)?.[0] ?? own).startsWith(own)) return
  const places = stack
    .split(own)
    .map((frame) => /^[\w/.-]+\.js:\d+:\d+/.exec(frame)?.[0])
    .filter((place) => place !== undefined)
  // Without one it may be anybody's, unless one of our boundaries has caught it.
  if (places.length === 0 && (kind === 'script' || kind === 'promise')) return
  const text = name ? `${name}: ${message}` : String(error)
  const key = `${text} ${places[0]}`
  if (told.size >= REPORTS_MAX || told.has(key)) return
  told.add(key)
  const report: Report = {
    site,
    release: /entry-client-([\w-]+)\.js/.exec(entry)?.[1] ?? '',
    kind,
    page: pageOf(),
    message: text.slice(0, 500),
    place: places.slice(0, FRAMES_MAX).join('\n'),
    engine: navigator.userAgent,
  }
  navigator.sendBeacon('/api/client-errors', new Blob([JSON.stringify(report)], { type: 'application/json' }))
}
