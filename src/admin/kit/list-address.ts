import { useSearchParams } from 'react-router'

export const PAGE_ROWS = 25

/** The state of a list in its address, so that a link, a reload or going back shows the same rows. */
export type ListAddress = {
  sort: readonly [column: string, direction: 'ASC' | 'DESC']
  /** From 1. */
  page: number
  /** The row after which it continues, beyond the reach of page numbers. */
  after: string | null
  filter: Record<string, string>
  /** Columns that are left out. */
  hidden: readonly string[]
}

const RESERVED = new Set(['sort', 'page', 'after', 'hidden'])

export function readAddress(params: URLSearchParams, usual: ListAddress['sort']): ListAddress {
  const [, direction = '', column = ''] = /^(-?)(\w+)$/.exec(params.get('sort') ?? '') ?? []
  const page = Number(params.get('page') ?? 1)
  return {
    sort: column === '' ? usual : [column, direction === '-' ? 'DESC' : 'ASC'],
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
    after: params.get('after'),
    filter: Object.fromEntries([...params].filter(([name, value]) => !RESERVED.has(name) && value !== '')),
    hidden: params.get('hidden')?.split(',').filter(Boolean) ?? [],
  }
}

export function writeAddress(address: ListAddress, usual: ListAddress['sort']): URLSearchParams {
  const [column, direction] = address.sort
  const params = new URLSearchParams(Object.entries(address.filter).filter(([, value]) => value !== ''))
  if (column !== usual[0] || direction !== usual[1])
    params.set('sort', `${direction === 'DESC' ? '-' : ''}${column}`)
  if (address.page > 1) params.set('page', String(address.page))
  if (address.after !== null) params.set('after', address.after)
  if (address.hidden.length > 0) params.set('hidden', address.hidden.join(','))
  return params
}

/** The list's address, and how to change it. Whatever changes the rows begins at the first page. */
export function useListAddress(usual: ListAddress['sort']) {
  const [params, setParams] = useSearchParams()
  const address = readAddress(params, usual)
  const go = (change: Partial<ListAddress>, options?: { replace: boolean }) =>
    setParams(writeAddress({ ...address, ...change }, usual), options)
  return {
    address,
    turnTo: (page: number, after: string | null) => go({ page, after }),
    sortBy: (sort: ListAddress['sort']) => go({ sort, page: 1, after: null }),
    filterBy: (filter: ListAddress['filter'], isRefined: boolean) =>
      go({ filter, page: 1, after: null }, { replace: isRefined }),
    hide: (hidden: readonly string[]) => go({ hidden }, { replace: true }),
  }
}
