import type { ClientErrorKind } from '#contract/client-errors.ts'
import type { WatchedSite } from './send-report.ts'

/** None on the server and in development, where nothing is told. */
let watched: WatchedSite | undefined

/** Tells the portal of an error that somebody has caught, once and a few times in a document. */
export function reportError(error: unknown, kind: ClientErrorKind): void {
  if (watched) void tell(watched, error, kind)
}

async function tell(...report: [WatchedSite, unknown, ClientErrorKind]): Promise<void> {
  try {
    const { sendReport } = await import('./send-report.ts')
    sendReport(...report)
  } catch {
    // Where its code does not arrive there is no way to tell, and the reporter must not be what breaks a page.
  }
}

/** From here on errors that nobody catches are told. */
export function watchErrors(site: WatchedSite): void {
  watched = site
  addEventListener('error', ({ error }) => reportError(error, 'script'))
  addEventListener('unhandledrejection', ({ reason }) => reportError(reason, 'promise'))
}
