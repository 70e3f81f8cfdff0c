import type { Act } from './audited-act.ts'
import type { Change, Part } from './parts.ts'

/** What was done, beginning with the verb, and what it changed. */
export type Sentence = { say(act: Act): Part[]; changes?(act: Act): Change[] }
