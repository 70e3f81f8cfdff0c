/** What operators change and pages show. */
export const CONTENT_KINDS = [
  'categories',
  'legal',
  'maintenance',
  'posts',
  'ranking',
  'settings',
  'tournaments',
] as const

export type ContentKind = (typeof CONTENT_KINDS)[number]

export const isContentKind = (text: string | undefined): text is ContentKind =>
  CONTENT_KINDS.some((kind) => kind === text)
