import type { Node, ResolvedPos, Schema } from '@tiptap/pm/model'
import { type EditorState, TextSelection, type Transaction } from '@tiptap/pm/state'

type Place = {
  table: Node
  /** Before the table, the row and the cell. */
  tableAt: number
  row: Node
  rowAt: number
  /** Which cell of its row. */
  column: number
}

/** Where in a table a position is; null outside of one, and in its caption. */
function placeOf($at: ResolvedPos): Place | null {
  for (let depth = $at.depth; depth > 0; depth--) {
    if ($at.node(depth).type.name !== 'tableRow') continue
    const tableDepth = depth - 2
    return {
      table: $at.node(tableDepth),
      tableAt: $at.before(tableDepth),
      row: $at.node(depth),
      rowAt: $at.before(depth),
      column: $at.index(depth),
    }
  }
  return null
}

const TABLE_COLUMNS = 3

const cellsOf = (schema: Schema, type: string, count: number) =>
  Array.from({ length: count }, () => schema.nodes[type]?.createAndFill() as Node)

/** A table of two rows below a row of headings, at the cursor. */
export function insertTable({ schema, tr }: EditorState): Transaction {
  const { table, tableHead, tableBody, tableRow } = schema.nodes
  const row = (type: string) => tableRow?.create(null, cellsOf(schema, type, TABLE_COLUMNS)) as Node
  const head = tableHead?.create(null, row('tableHeading')) as Node
  const body = tableBody?.create(null, [row('tableCell'), row('tableCell')]) as Node
  return tr.replaceSelectionWith(table?.create(null, [head, body]) as Node).scrollIntoView()
}

/** A row below that of the cursor, with as many cells. */
export function addRow({ schema, selection, tr }: EditorState): Transaction | null {
  const place = placeOf(selection.$from)
  if (place === null) return null
  const { row, rowAt } = place
  const below = rowAt + row.nodeSize
  tr.insert(below, row.type.create(null, cellsOf(schema, 'tableCell', row.childCount)))
  return tr.setSelection(TextSelection.near(tr.doc.resolve(below + 2))).scrollIntoView()
}

/** Deletes the cursor's row; with the last row its part of the table, with the last part the table. */
export function removeRow({ selection, tr }: EditorState): Transaction | null {
  const place = placeOf(selection.$from)
  if (place === null) return null
  const { table, tableAt, row, rowAt } = place
  const part = tr.doc.resolve(rowAt).parent
  if (part.childCount > 1) return tr.delete(rowAt, rowAt + row.nodeSize)
  if (part.type.name === 'tableBody') return tr.delete(tableAt, tableAt + table.nodeSize)
  return tr.delete(rowAt - 1, rowAt - 1 + part.nodeSize)
}

/** Every row of a table with its position, the last one first, so that a change does not move the rows that follow. */
function rowsOf({ table, tableAt }: Place): { row: Node; at: number }[] {
  const rows: { row: Node; at: number }[] = []
  table.descendants((node, at) => {
    if (node.type.name === 'tableRow') rows.unshift({ row: node, at: tableAt + 1 + at })
    return node.type.name !== 'tableRow'
  })
  return rows
}

const startOf = (row: Node, at: number, column: number) => {
  let start = at + 1
  for (let index = 0; index < Math.min(column, row.childCount); index++) start += row.child(index).nodeSize
  return start
}

/** A column behind that of the cursor; in rows of headings it is a heading. */
export function addColumn({ schema, selection, tr }: EditorState): Transaction | null {
  const place = placeOf(selection.$from)
  if (place === null) return null
  for (const { row, at } of rowsOf(place)) {
    const type = row.lastChild?.type.name ?? 'tableCell'
    tr.insert(startOf(row, at, place.column + 1), cellsOf(schema, type, 1))
  }
  return tr.scrollIntoView()
}

/** Deletes the cursor's column; with the last one the table. */
export function removeColumn({ selection, tr }: EditorState): Transaction | null {
  const place = placeOf(selection.$from)
  if (place === null) return null
  const { table, tableAt } = place
  const rows = rowsOf(place)
  if (rows.some(({ row }) => row.childCount === 1)) return tr.delete(tableAt, tableAt + table.nodeSize)
  for (const { row, at } of rows) {
    const cell = row.maybeChild(place.column)
    const start = startOf(row, at, place.column)
    if (cell) tr.delete(start, start + cell.nodeSize)
  }
  return tr
}

export const isInTable = ({ selection }: EditorState): boolean => placeOf(selection.$from) !== null
