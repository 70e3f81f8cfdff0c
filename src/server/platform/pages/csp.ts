import { createHash } from 'node:crypto'

/**
 * Marks the document before its first paint when a session is stored, so that the login buttons do not flash at
 * a player; a second note says whether the place of the activation prompt is to be held. Constant text: the policy lists it by its hash, and cached pages stay valid.
 */
export const SESSION_MARK_SCRIPT =
  'try{JSON.parse(localStorage.getItem("auth-react-v")).access_token&&document.documentElement.setAttribute("data-session",localStorage.getItem("portal-hint")||"")}catch{}'

const hashOf = (script: string) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`

/** The policy of every page: own files only, pictures also as data, and the one inline script above. */
export const PAGE_POLICY = [
  "default-src 'self'",
  `script-src 'self' ${hashOf(SESSION_MARK_SCRIPT)}`,
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ')
