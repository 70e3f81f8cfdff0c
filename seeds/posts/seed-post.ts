export type SeedPost = {
  slug: string
  title: string
  /** Slugs of `seedCategories`; the first is the main one. */
  categories: string[]
  /** Name of the cover art: `public/images/covers/<cover>-{320,640}.webp` and `<cover>-og.jpg`. */
  cover: string
  isNew: boolean
  isPinned: boolean
  publishedDaysAgo: number
  content: string
}

/** A picture of our own inside a post, with its size so that the page does not jump while it loads. */
export function figure(picture: string, alt: string, caption: string): string {
  const image = `<img src="/images/${picture}-640.webp" alt="${alt}" width="640" height="360" loading="lazy">`
  return `<figure>${image}<figcaption>${caption}</figcaption></figure>`
}
