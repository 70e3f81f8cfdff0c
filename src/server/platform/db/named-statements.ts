/** How often a text is sent before a server is to remember it: only what is sent all the time is worth its memory. */
const SENT_BEFORE = 10
const NAMED_MAX = 200
/** Texts that are still counted. Some are made anew for each request, such as a search's; they never get that far. */
const COUNTED_MAX = 1_000
/**
 * A search: for a pattern that it does not know PostgreSQL may plan to read the whole table (975 ms instead of 6 for a
 * player among a million).
 */
const HAS_PATTERN = /\b(?:i?like|similar\s+to)\b|~/i
/** What a star stands for changes with the next migration, and a server does not run such a statement again after it. */
const HAS_STAR = /(?:\bselect|\breturning|\.)\s*\*/i

const named = new Map<string, string>()
const counted = new Map<string, number>()
let names = 0

/**
 * The name under which a server may keep a statement, parsed and planned; undefined for one that is sent seldom. One
 * process gives a text the same name on all of its connections.
 */
export function nameOfStatement(text: string): string | undefined {
  const name = named.get(text)
  if (name !== undefined || named.size >= NAMED_MAX) return name
  const sent = (counted.get(text) ?? 0) + 1
  // Looked at once: a text with a star or a pattern has passed the number by the next time.
  if (sent === SENT_BEFORE + 1 && !HAS_STAR.test(text) && !HAS_PATTERN.test(text)) {
    counted.delete(text)
    named.set(text, `portal-${++names}`)
    return named.get(text)
  }
  if (counted.size >= COUNTED_MAX) counted.clear()
  counted.set(text, sent)
  return undefined
}

/** What the servers keep under its name is of no use any more; it may be given another. */
export const forgetStatement = (text: string): boolean => named.delete(text)
