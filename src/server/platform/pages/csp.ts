import { createHash } from 'node:crypto'

/**
 * Marks the document before its first paint when a session is stored, so that the login buttons do not flash at
 * a player; a note of the last visit says what else the first paint has to know. Without one the page waits for the
 * server's word, so that nothing moves when it comes. Constant text: the policy lists it by its hash, and cached pages
 * stay valid.
 */
export const SESSION_MARK_SCRIPT =
  'try{JSON.parse(localStorage.getItem("auth-react-v")).access_token&&document.documentElement.setAttribute("data-session",localStorage.getItem("portal-hint")||"wait")}catch{}'

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** Origins outside the site that one document may reach. */
export type OutsideSources = { script: string; connect: string; img: string }

/** The policy of a page: own files, pictures also as data, the one inline script above, and what is added on purpose. */
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

/** The service worker's own: it fetches from the site and does nothing else. */
export const WORKER_POLICY =
  "default-src 'none'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
