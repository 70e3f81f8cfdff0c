import { Mark, Node, type Extensions } from '@tiptap/core'
import { CodeBlock } from '@tiptap/extension-code-block'
import { OrderedList } from '@tiptap/extension-list'
import { StarterKit } from '@tiptap/starter-kit'
import { linkAttributes, pictureAttributes } from '#contract/post-html.ts'
import { tableNodes } from '#admin/features/posts/editor/table-nodes.ts'

const PICTURE_GIVEN = ['src', 'alt', 'width', 'height', 'loading']

const Picture = Node.create({
  name: 'picture',
  group: 'block',
  draggable: true,
  addAttributes: () => Object.fromEntries(PICTURE_GIVEN.map((name) => [name, { default: null }])),
  // Of other hosts there are none: a pasted one is left out.
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

/** No start, no kind: the sanitiser keeps neither. */
const bare = { addAttributes: () => ({}) }

/**
 * What a post may consist of: exactly the elements and attributes of POST_ELEMENTS, which the sanitiser leaves. Typing
 * aids, history and keys are TipTap's.
 */
export const postExtensions: Extensions = [
  StarterKit.configure({
    heading: { levels: [2, 3, 4] },
    link: false,
    orderedList: false,
    codeBlock: false,
  }),
  OrderedList.extend(bare),
  CodeBlock.extend(bare),
  Picture,
  Figure,
  Caption,
  Link,
  ...tableNodes,
]
