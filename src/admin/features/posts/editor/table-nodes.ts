import { Node } from '@tiptap/core'
import { cellAttributes } from '#contract/post-html.ts'

type Part = { name: string; tag: string; content: string; role?: string }

/** A part of a table, as HTML names them. */
const partOf = ({ name, tag, content }: Part) =>
  Node.create({
    name,
    content,
    isolating: true,
    parseHTML: () => [{ tag }],
    renderHTML: () => [tag, 0],
  })

const cellOf = (name: string, tag: 'th' | 'td', spans: readonly string[]) =>
  Node.create({
    name,
    content: 'block+',
    isolating: true,
    addAttributes: () => Object.fromEntries(spans.map((span) => [span, { default: null }])),
    parseHTML: () => [{ tag }],
    renderHTML: ({ node }) => [tag, cellAttributes(tag, node.attrs), 0],
  })

export const tableNodes = [
  Node.create({
    name: 'table',
    group: 'block',
    content: 'tableCaption? tableHead? tableBody tableFoot?',
    isolating: true,
    parseHTML: () => [{ tag: 'table' }],
    renderHTML: () => ['table', 0],
  }),
  partOf({ name: 'tableCaption', tag: 'caption', content: 'inline*' }),
  partOf({ name: 'tableHead', tag: 'thead', content: 'tableRow+' }),
  partOf({ name: 'tableBody', tag: 'tbody', content: 'tableRow+' }),
  partOf({ name: 'tableFoot', tag: 'tfoot', content: 'tableRow+' }),
  partOf({ name: 'tableRow', tag: 'tr', content: '(tableCell | tableHeading)+' }),
  cellOf('tableHeading', 'th', ['colspan', 'rowspan', 'scope']),
  cellOf('tableCell', 'td', ['colspan', 'rowspan']),
]
