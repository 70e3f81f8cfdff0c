import type { FastifyReply } from 'fastify'
import { LIST_REACH_MAX, LIST_ROWS_MAX } from '#contract/operator/list.ts'
import { invalidField } from './refusal.ts'

/** A list as react-admin's simple REST provider asks for it. Rows `from`…`to`, both counted from 0 and inclusive. */
export type ListRequest = {
  sort: string
  order: 'asc' | 'desc'
  from: number
  to: number
  filter: Record<string, string | number | boolean | readonly (string | number)[]>
}

type Allowed = { sorts: readonly [string, ...string[]]; filters: readonly string[] }

function parse(field: string, text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidField(field, 'Tham số phải ở dạng JSON')
  }
}

/** Reads the three JSON texts; sorting or filtering by anything but the allowed names is refused. */
export function readListQuery(
  query: { sort?: string | undefined; range?: string | undefined; filter?: string | undefined },
  { sorts, filters }: Allowed,
): ListRequest {
  const [sort, order] = readSort(parse('sort', query.sort), sorts)
  const [from, to] = readRange(parse('range', query.range))
  return { sort, order, from, to, filter: readFilter(parse('filter', query.filter), filters) }
}

function readSort(value: unknown, sorts: Allowed['sorts']): [string, 'asc' | 'desc'] {
  if (value === undefined) return [sorts[0], 'asc']
  const [field, order] = Array.isArray(value) ? (value as unknown[]) : []
  if (typeof field !== 'string' || !sorts.includes(field))
    throw invalidField('sort', 'Không thể sắp xếp theo cột này')
  if (order !== 'ASC' && order !== 'DESC') throw invalidField('sort', 'Chiều sắp xếp phải là ASC hoặc DESC')
  return [field, order === 'ASC' ? 'asc' : 'desc']
}

function readRange(value: unknown): [number, number] {
  if (value === undefined) return [0, 24]
  const [from, to] = Array.isArray(value) ? (value as unknown[]) : []
  const isRange =
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(to) &&
    (from as number) >= 0 &&
    (to as number) >= (from as number)
  if (!isRange) throw invalidField('range', 'Khoảng dòng không hợp lệ')
  return [from as number, Math.min(to as number, (from as number) + LIST_ROWS_MAX - 1)]
}

function readFilter(value: unknown, filters: readonly string[]): ListRequest['filter'] {
  if (value === undefined) return {}
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField('filter', 'Bộ lọc không hợp lệ')
  }
  for (const [name, wanted] of Object.entries(value)) {
    if (!filters.includes(name)) throw invalidField('filter', `Không thể lọc theo ${name}`)
    const isScalar = ['string', 'number', 'boolean'].includes(typeof wanted)
    const isList =
      Array.isArray(wanted) &&
      wanted.length <= 100 &&
      wanted.every((entry) => /^(string|number)$/.test(typeof entry))
    if (!isScalar && !isList) throw wrongFilter(name)
  }
  return value as ListRequest['filter']
}

/** A filter there is, with a value it cannot have. */
export const wrongFilter = (name: string) => invalidField('filter', `Giá trị lọc của ${name} không hợp lệ`)

/** For tables that grow without end: passing over millions of rows would cost as much as reading them. */
export function assertWithinReach({ to }: ListRequest): void {
  if (to >= LIST_REACH_MAX) throw invalidField('range', 'Danh sách chỉ xem được 10,000 dòng, hãy lọc bớt')
}

type ListAnswer<Row> = { list: ListRequest; total: number; rows: Row[] }

/** Names the rows in `Content-Range` and hands them on. */
export function listRange<Row>(
  reply: FastifyReply,
  resource: string,
  { list, total, rows }: ListAnswer<Row>,
): Row[] {
  const last = list.from + Math.max(rows.length - 1, 0)
  reply.header('content-range', `${resource} ${list.from}-${last}/${total}`)
  reply.header('access-control-expose-headers', 'Content-Range')
  return rows
}
