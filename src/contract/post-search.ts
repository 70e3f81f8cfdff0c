// A file of its own, so that pages do not load the schema library.

/** So many characters of a search count. */
export const POST_SEARCH_MAX = 60

/** The one spelling of a search: in its address, and for the server that keeps addresses apart. */
export const postSearch = (typed: string): string =>
  [
    ...typed
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
      .trim(),
  ]
    .slice(0, POST_SEARCH_MAX)
    .join('')
    .trim()
