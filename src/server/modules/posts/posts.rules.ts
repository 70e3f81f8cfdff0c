import { COVER } from '#contract/post-html.ts'
import { textOfHtml } from '#server/platform/html/safe-html.rules.ts'
import { searchForm } from '#contract/search-form.ts'

export const EXCERPT_MAX = 200
export const POSTS_PER_PAGE = 20
export const CATEGORIES_MAX = 100

/** The database's ids, written in decimal. Anything else names no post. */
export function isId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text)
}

/** Cuts at the end of a word, so that the result with its ellipsis is at most `max` characters. */
export function shorten(text: string, max: number): string {
  const characters = [...text]
  if (characters.length <= max) return text
  const cut = characters.slice(0, max - 1).join('')
  const isWordEnd = /\s/.test(characters[max - 1] as string)
  const atWord = isWordEnd ? cut : cut.replace(/\s+\S*$/, '')
  return `${atWord.replace(/[\s.,;:!?…–-]+$/, '')}…`
}

/** A search as the database reads it: every word, of the last one at least the beginning. Null when it has no words. */
export function searchWords(search: string): string | null {
  const words = searchForm(search).match(/[a-z0-9]+/g) ?? []
  return words.length === 0 ? null : `${words.join(' & ')}:*`
}

/** A post's summary made of its own words; captions and tables only when there is nothing else. */
export function excerptOf(safe: string): string {
  const running = safe.replace(/<(figure|table|pre)>[\s\S]*?<\/\1>/g, ' ')
  // Letters of two units each are as many as an excerpt shows.
  const most = 2 * EXCERPT_MAX
  return shorten(textOfHtml(running, most) || textOfHtml(safe, most), EXCERPT_MAX)
}

/** Covers are our own pictures; any other address is not shown. */
export function isCover(cover: string | null): cover is string {
  return cover !== null && COVER.test(cover)
}

/** Whether a row was changed after the version that the caller names; without one, it never is. */
export function isOutdated(version: string | undefined, { updated_at }: { updated_at: Date }): boolean {
  return version !== undefined && new Date(version).getTime() !== updated_at.getTime()
}

/**
 * From when on a post is shown; null is now. A moment that is given counts. Without one, the moment of a post that is shown stays,
 * null brings a scheduled post out at once, and a post that was hidden appears now rather than in the past.
 */
export function publishMoment(
  given: string | null | undefined,
  before: { published: boolean; publish_at: Date } | null,
  now: Date,
): Date | null {
  if (typeof given === 'string') return new Date(given)
  if (before === null) return null
  const isToCome = before.publish_at > now
  if (before.published && !isToCome) return before.publish_at
  return given === undefined && isToCome ? before.publish_at : null
}
