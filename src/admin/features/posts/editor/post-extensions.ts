import { type Extensions, Mark, Node } from '@tiptap/core'
import { CodeBlock } from '@tiptap/extension-code-block'
import { OrderedList } from '@tiptap/extension-list'
import { StarterKit } from '@tiptap/starter-kit'
import { cellAttributes, linkAttributes, pictureAttributes } from '#contract/post-html.ts'

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

const tableNodes = [
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

const PICTURE_GIVEN = ['src', 'alt', 'width', 'height', 'loading']

const Picture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes: () => Object.fromEntries(PICTURE_GIVEN.map((name) => [name, { default: null }])),
  // Pictures of other hosts are not allowed: a pasted one is left out.
  parseHTML: () => [
    {
      tag: 'img[src]',
      getAttrs: (element) => {
        const given = Object.fromEntries(PICTURE_GIVEN.map((name) => [name, element.getAttribute(name)]))
        return pictureAttributes(given) === null ? false : given
      },
    },
  ],
  renderHTML: ({ node }) => ['img', pictureAttributes(node.attrs) ?? {}],
})

const Figure = Node.create({
  name: 'figure',
  group: 'block',
  content: 'picture caption?',
  isolating: true,
  parseHTML: () => [{ tag: 'figure' }],
  renderHTML: () => ['figure', 0],
})

const Caption = Node.create({
  name: 'caption',
  content: 'inline*',
  isolating: true,
  parseHTML: () => [{ tag: 'figcaption' }],
  renderHTML: () => ['figcaption', 0],
})

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: null } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => {
        const attributes = linkAttributes({ href: element.getAttribute('href') })
        return attributes === null ? false : { href: attributes.href }
      },
    },
  ],
  renderHTML: ({ mark }) => ['a', linkAttributes(mark.attrs) ?? {}, 0],
})

/** Without the attributes `start` and `type`, which the sanitiser removes. */
const withoutAttributes = { addAttributes: () => ({}) }

/**
 * What a post may consist of: exactly the elements and attributes of POST_ELEMENTS, which the sanitiser allows. Typing
 * aids, history and keys are TipTap's.
 */
export const postExtensions: Extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: false,
    orderedList: false,
    codeBlock: false,
  }),
  OrderedList.extend(withoutAttributes),
  CodeBlock.extend(withoutAttributes),
  Picture,
  Figure,
  Caption,
  Link,
  ...tableNodes,
]
