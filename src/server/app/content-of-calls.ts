import { CONTENT_KINDS, type ContentKind } from '../platform/content/content-kinds.ts'

/** The calls that pages are rendered from, and the content their answers show. */
const CONTENT_OF: [call: RegExp, kinds: readonly ContentKind[]][] = [
  [/^\/settings$/, ['settings', 'maintenance']],
  [/^\/posts\b/, ['posts']],
  [/^\/categories$/, ['categories']],
  [/^\/categories\//, ['categories', 'posts']],
  [/^\/tournaments\b/, ['tournaments']],
  [/^\/legal\//, ['legal']],
  [/^\/exchange$/, ['settings']],
]

/** `url` is as a page asks it. A call that is not listed may show anything. */
export function contentOfCall(url: string): readonly ContentKind[] {
  const path = url.replace(/^\/api|\?.*$/g, '')
  return CONTENT_OF.find(([call]) => call.test(path))?.[1] ?? CONTENT_KINDS
}
