import { createHash } from 'node:crypto'

/**
 * Marks the document before its first paint when a session is stored, so that a player does not see the login buttons
 * for a moment; a hint stored at the last visit describes what else the first paint depends on. Without a hint the page
 * waits for the server's answer, so that nothing moves when it arrives. Constant text: the policy lists its hash, and
 * cached pages stay valid.
 */
export const SESSION_MARK_SCRIPT =
  'try{JSON.parse(localStorage.getItem("auth-react-v")).access_token&&document.documentElement.setAttribute("data-session",localStorage.getItem("portal-hint")||"wait")}catch{}'

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** Origins outside the site that one document may reach. */
export type OutsideSources = { script: string; connect: string; img: string }

/** The policy of a page: own files, pictures also as data, the one inline script above, and the given origins. */
export function pagePolicy(outside?: OutsideSources): string {
  return [
    "default-src 'self'",
    `script-src 'self' ${hashOf(SESSION_MARK_SCRIPT)}${outside ? ` ${outside.script}` : ''}`,
    `img-src 'self' data:${outside ? ` ${outside.img}` : ''}`,
    ...(outside ? [`connect-src 'self' ${outside.connect}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')
}

/** The policy of the service worker: it only fetches from the site. */
export const WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
