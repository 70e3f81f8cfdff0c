import * as z from 'zod/mini'
import { shownText } from './name-texts.ts'

declare global {
  /** True in the browser's build of the player site, which a constant of `vite.web.config.ts` makes of it. */
  var IS_PLAYER_SITE: true | undefined
}

/**
 * A name in an answer. The server writes answers through their schemas, so that no page shows what the rule of names does not
 * allow; the player site only reads them, and its script does without the rule.
 */
export const shownName = globalThis.IS_PLAYER_SITE ? z.string() : z.string().check(z.overwrite(shownText))
