import type { QueryClient } from '@tanstack/react-query'
import type { PageName } from '#contract/pages.ts'
import { shareNameOf } from '#contract/share-pictures.ts'
import type { PageParams } from '#web/page.ts'
import { readAgeClass } from '#web/parts/settings/settings.ts'

/**
 * The picture of a page that does not name one itself. Its address changes with the title and the age class on it: chats
 * cache the picture of an address.
 */
export function sharePictureOf(
  { name, params }: { name: PageName; params: PageParams },
  title: string,
  client: QueryClient,
): string {
  const pictureName = shareNameOf(name, params)
  const version = [...(pictureName === 'site' ? [] : [tagOf(title)]), parseInt(readAgeClass(client))]
  return `/share/${pictureName}.png?v=${version.join('-')}`
}

/** Short, and another one for another title; not a secret. */
function tagOf(title: string): string {
  let tag = 0
  for (const letter of title) tag = (tag * 31 + (letter.codePointAt(0) ?? 0)) % 4_294_967_291
  return tag.toString(36)
}
