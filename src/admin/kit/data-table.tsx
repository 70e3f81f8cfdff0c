import { type ChangeEvent, type ComponentProps, type ReactNode, useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import { Drawing } from '#ui/icon.tsx'
import { drawings } from './drawings.tsx'
import { momentText, vnd } from './format.ts'
import { kitCopy } from './kit.copy.ts'
import type { ListAddress } from './list-address.ts'
import { WideBox } from './wide-box.tsx'

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
  /** What the row is about: on a phone its heading. Without one that is its title, or the first column. */
  isName?: boolean
  isMoment?: boolean
  /**
   * On a phone: `main` is read without unfolding the row, as its state, its player, its amount and its first moment are;
   * `line` has a line with its label, as a field needs.
   */
  onPhone?: 'main' | 'line'
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
  column(name, label, (row) => momentText(row[name]), { isMoment: true, ...more })

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

/** Where a column stands in the row of a phone; `rest` is folded. */
type Part = 'name' | 'amount' | 'when' | 'main' | 'line' | 'acts' | 'rest'

const MAIN = ['state', 'status', 'player']
/** Figures that need no label. */
const AMOUNTS = ['amount', 'balance', 'teams', 'bank']

function partsOf<Row>(columns: readonly Column<Row>[]): Map<string, Part> {
  const parts = new Map<string, Part>()
  const take = (part: Part, is: (one: Column<Row>) => boolean | undefined) => {
    const found = columns.find((one) => !parts.has(one.name) && is(one))
    if (found) parts.set(found.name, part)
  }
  const first =
    columns.find(({ isName }) => isName) ?? columns.find(({ name }) => name === 'title') ?? columns[0]
  take('name', (one) => one === first)
  take('acts', ({ name }) => name === 'acts')
  take('amount', ({ name }) => AMOUNTS.includes(name))
  take('when', ({ name, isMoment }) => isMoment || name === 'time')
  for (const { name, onPhone } of columns)
    if (!parts.has(name)) parts.set(name, onPhone ?? (MAIN.includes(name) ? 'main' : 'rest'))
  return parts
}

/** Rows and columns; on a phone each row is two lines, and a button unfolds the rest. */
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
  const parts = partsOf(columns)
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
      <WideBox label={label}>
        <table aria-label={label} className="data-table">
          <thead>
            <tr>
              {all && (
                <th scope="col">
                  <input {...all} data-mark-all aria-label={copy.chooseAll} className="max-md:hidden" />
                </th>
              )}
              {columns.map((column) => (
                <Heading
                  key={column.name}
                  column={column}
                  part={parts.get(column.name)}
                  sort={sort}
                  onSort={onSort}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <TableRow key={row.id} row={row} columns={columns} parts={parts} isList={onSort !== undefined}>
                {onChoose && (
                  <td data-part="mark">
                    <input
                      type="checkbox"
                      data-mark
                      aria-label={`${copy.choose} ${row.id}`}
                      checked={isChosen(row.id)}
                      onChange={() => toggle(row.id)}
                    />
                  </td>
                )}
              </TableRow>
            ))}
          </tbody>
        </table>
      </WideBox>
    </>
  )
}

type RowProps<Row> = {
  row: Row
  columns: readonly Column<Row>[]
  parts: Map<string, Part>
  /** The few rows of a panel lie open. */
  isList: boolean
  children: ReactNode
}

function TableRow<Row extends { id: string }>({ row, columns, parts, isList, children }: RowProps<Row>) {
  const [isOpen, setOpen] = useState(!isList)
  const isFolded =
    isList && columns.some(({ name, isBlank }) => parts.get(name) === 'rest' && !isBlank?.(row))
  return (
    <tr
      data-row={row.id}
      data-open={isOpen ? '' : undefined}
      data-folding={isFolded ? '' : undefined}
      data-markable={children ? '' : undefined}
      tabIndex={-1}
    >
      {children}
      {columns.map(({ name, label, cell, isNumber, isText, isBlank }) => (
        <td
          key={name}
          data-label={label}
          data-part={parts.get(name)}
          data-number={isNumber ? '' : undefined}
          data-text={isText ? '' : undefined}
          data-blank={isBlank?.(row) ? '' : undefined}
        >
          {/* One box beside the column's name on a phone, whatever the cell is made of. */}
          <div className="min-w-0">{cell(row)}</div>
        </td>
      ))}
      {isFolded && (
        <td data-part="unfold" className="md:hidden">
          <button
            type="button"
            aria-expanded={isOpen}
            aria-label={copy.detailsOf(row.id)}
            onClick={() => setOpen(!isOpen)}
          >
            <Drawing path={drawings.chevron} className="turning size-5" />
          </button>
        </td>
      )}
    </tr>
  )
}

/** On a phone, where the head of the table is hidden. */
const ChooseAll = (box: ComponentProps<'input'>) => (
  <label className="flex min-h-11 items-center gap-3 md:hidden">
    <input {...box} />
    {copy.chooseAll}
  </label>
)

type HeadingProps<Row> = { column: Column<Row>; part: Part | undefined } & Pick<Props<Row>, 'sort' | 'onSort'>

function Heading<Row>({ column: { label, sort: by, isNumber }, part, sort, onSort }: HeadingProps<Row>) {
  const number = isNumber ? '' : undefined
  if (by === undefined || onSort === undefined) {
    return (
      <th scope="col" data-part={part} data-number={number}>
        {label}
      </th>
    )
  }
  const direction = sort?.[0] === by ? sort[1] : undefined
  const arrow = direction === 'ASC' ? ' ↑' : ' ↓'
  return (
    <th
      scope="col"
      data-part={part}
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
