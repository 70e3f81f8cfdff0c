import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import { formatNumber } from '#contract/format.ts'
import { momentText, vnd } from './format.ts'
import { kitCopy } from './kit.copy.ts'
import type { ListAddress } from './list-address.ts'

const copy = kitCopy.list

export type Column<Row> = {
  name: string
  label: string
  cell: (row: Row) => ReactNode
  /** The column of the call by which it sorts; left out, it does not. */
  sort?: string
  isNumber?: boolean
  /** A sentence or more: the column is wide enough to read it. */
  isText?: boolean
  /** What the row is about: on a phone the heading of its card. */
  isName?: boolean
  /** Whether the cell of a row is empty; on a phone it is then left out. */
  isBlank?: (row: Row) => boolean
}

type More<Row> = Omit<Column<Row>, 'name' | 'label' | 'cell'>

export const column = <Row,>(
  name: string,
  label: string,
  cell: Column<Row>['cell'],
  more?: More<Row>,
): Column<Row> => ({ name, label, cell, ...more })

/** Columns of the field that has their name. */
type FieldColumn<Value> = <Name extends string, Row extends Record<Name, Value>>(
  name: Name,
  label: string,
  more?: More<Row>,
) => Column<Row>

export const momentColumn: FieldColumn<string | null> = (name, label, more) =>
  column(name, label, (row) => momentText(row[name]), more)

export const vndColumn: FieldColumn<number> = (name, label, more) =>
  column(name, label, (row) => vnd(row[name]), { isNumber: true, ...more })

export const numberColumn: FieldColumn<number> = (name, label, more) =>
  column(name, label, (row) => formatNumber(row[name]), { isNumber: true, ...more })

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** Instead of a table without rows. */
  empty?: string
  sort?: ListAddress['sort']
  onSort?: (sort: ListAddress['sort']) => void
  chosen?: readonly string[]
  onChoose?: (chosen: readonly string[]) => void
}

/** Rows and columns; on a phone each row is a card. */
export function DataTable<Row extends { id: string }>({
  label,
  columns,
  rows,
  empty,
  sort,
  onSort,
  chosen,
  onChoose,
}: Props<Row>) {
  if (empty && rows.length === 0) return <p className="text-soft">{empty}</p>
  const ids = rows.map(({ id }) => id)
  const isChosen = (id: string) => chosen?.includes(id) ?? false
  const toggle = (id: string) =>
    onChoose?.(isChosen(id) ? (chosen ?? []).filter((one) => one !== id) : [...(chosen ?? []), id])
  const all = onChoose && {
    type: 'checkbox',
    checked: ids.every(isChosen),
    onChange: ({ target }: ChangeEvent<HTMLInputElement>) => onChoose(target.checked ? ids : []),
  }
  return (
    <>
      {all && <ChooseAll {...all} />}
      <table aria-label={label} className="data-table">
        <thead>
          <tr>
            {all && (
              <th scope="col">
                <input {...all} data-mark-all aria-label={copy.chooseAll} className="max-md:hidden" />
              </th>
            )}
            {columns.map((column) => (
              <Heading key={column.name} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-row={row.id} tabIndex={-1}>
              {onChoose && (
                <td data-label={copy.choose}>
                  <input
                    type="checkbox"
                    data-mark
                    aria-label={`${copy.choose} ${row.id}`}
                    checked={isChosen(row.id)}
                    onChange={() => toggle(row.id)}
                  />
                </td>
              )}
              {columns.map(({ name, label: heading, cell, isNumber, isText, isName, isBlank }) => (
                <td
                  key={name}
                  data-label={heading}
                  data-number={isNumber ? '' : undefined}
                  data-text={isText ? '' : undefined}
                  data-name={isName ? '' : undefined}
                  data-blank={isBlank?.(row) ? '' : undefined}
                >
                  {/* One box beside the column's name on a phone, whatever the cell is made of. */}
                  <div className="min-w-0">{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

/** On a phone, where the head of the table is hidden. */
const ChooseAll = (box: ComponentProps<'input'>) => (
  <label className="flex min-h-11 items-center gap-3 md:hidden">
    <input {...box} />
    {copy.chooseAll}
  </label>
)

type HeadingProps<Row> = { column: Column<Row> } & Pick<Props<Row>, 'sort' | 'onSort'>

function Heading<Row>({ column: { label, sort: by, isNumber }, sort, onSort }: HeadingProps<Row>) {
  const number = isNumber ? '' : undefined
  if (by === undefined || onSort === undefined) {
    return (
      <th scope="col" data-number={number}>
        {label}
      </th>
    )
  }
  const direction = sort?.[0] === by ? sort[1] : undefined
  const arrow = direction === 'ASC' ? ' ↑' : ' ↓'
  return (
    <th
      scope="col"
      data-number={number}
      aria-sort={direction && (direction === 'ASC' ? 'ascending' : 'descending')}
    >
      <button
        type="button"
        title={copy.sort(label)}
        className="font-bold underline-offset-4 hover:underline"
        onClick={() => onSort([by, direction === 'DESC' ? 'ASC' : 'DESC'])}
      >
        {label}
        {direction && <span aria-hidden="true">{arrow}</span>}
      </button>
    </th>
  )
}
