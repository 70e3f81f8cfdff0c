import { type PageEntry, type PageName, pages } from './pages.ts'

/** Pages about one row of the database, whose title only the database knows, by the word for them in the address. */
const ABOUT_A_ROW = {
  post: 'post',
  category: 'category',
  older: 'olderInCategory',
  tournament: 'tournament',
} as const satisfies Record<string, PageName>

export type RowKind = keyof typeof ABOUT_A_ROW

const ROW_KINDS = Object.keys(ABOUT_A_ROW) as RowKind[]

/** What a share picture shows: the portal itself, a page by its title, or a page about one row. */
export type ShareSubject = { kind: 'site' } | { kind: 'page'; title: string } | { kind: RowKind; id: string }

/** The home page is the portal itself, and the sandbox is for nobody outside. */
const WITHOUT_TITLE: readonly PageName[] = ['home', 'sandbox', ...Object.values(ABOUT_A_ROW)]

function hasTitledPicture(name: PageName): boolean {
  const { access, status, isSearch }: PageEntry = pages[name]
  return access === 'open' && status === undefined && !isSearch && !WITHOUT_TITLE.includes(name)
}

/** The name of the picture of a page: that of the portal where the page is not shown to everybody. */
export function shareNameOf(page: PageName, params: Readonly<Record<string, string | undefined>>): string {
  const kind = ROW_KINDS.find((one) => ABOUT_A_ROW[one] === page)
  if (kind !== undefined) return `${kind}-${params.id}`
  return hasTitledPicture(page) ? `page-${page}` : 'site'
}

/** What the picture of this name shows; nothing where no page has such a picture. */
export function shareSubjectOf(name: string): ShareSubject | undefined {
  if (name === 'site') return { kind: 'site' }
  const [, kind = '', which = ''] = /^([a-z]+)-(\w+)$/.exec(name) ?? []
  if (kind === 'page') {
    return isPageName(which) && hasTitledPicture(which)
      ? { kind: 'page', title: pages[which].title }
      : undefined
  }
  const rowKind = ROW_KINDS.find((one) => one === kind)
  return rowKind !== undefined && /^[1-9]\d{0,17}$/.test(which) ? { kind: rowKind, id: which } : undefined
}

const isPageName = (name: string): name is PageName => Object.hasOwn(pages, name)
