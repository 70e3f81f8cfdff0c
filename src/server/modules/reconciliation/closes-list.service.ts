import type { OperatorDailyClose } from '#contract/operator/daily-closes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type ListRequest, wrongFilter } from '#server/platform/http/list.ts'
import { namedFigures } from './daily-close.rules.ts'
import { isDay } from './days.rules.ts'
import { countCloses, listCloses, type CloseFilter, type StoredClose } from './stored-closes.queries.ts'

export const CLOSE_LIST = {
  sorts: ['day'],
  filters: ['account_number', 'status', 'day', 'from', 'to'],
} as const

/** The closes that stand, the newest day first unless asked otherwise. */
export async function listDailyCloses(
  db: Db,
  list: ListRequest,
): Promise<{ total: number; rows: OperatorDailyClose[] }> {
  const filter = readFilter(list.filter)
  const total = await countCloses(db, filter)
  const rows = await listCloses(db, filter, {
    order: list.order,
    offset: list.from,
    limit: list.to - list.from + 1,
  })
  return { total, rows: rows.map(toAnswer) }
}

function readFilter(given: ListRequest['filter']): CloseFilter {
  const text = (name: string, isRight: (value: string) => boolean): string | undefined => {
    const value = given[name]
    if (value === undefined) return undefined
    if (typeof value !== 'string' || !isRight(value)) throw wrongFilter(name)
    return value
  }
  const accountNumber = text('account_number', (value) => value.length <= 64)
  const status = text('status', (value) => value === 'green' || value === 'red')
  const day = text('day', isDay)
  const from = day ?? text('from', isDay)
  const to = day ?? text('to', isDay)
  return {
    ...(accountNumber === undefined ? {} : { accountNumber }),
    ...(status === undefined ? {} : { status }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

function toAnswer({ figures, ...close }: StoredClose): OperatorDailyClose {
  return {
    id: close.id,
    account_number: close.accountNumber,
    day: close.day,
    revision: close.revision,
    status: close.status,
    differences: close.differences,
    ...namedFigures(figures),
    made_at: close.madeAt.toISOString(),
  }
}
