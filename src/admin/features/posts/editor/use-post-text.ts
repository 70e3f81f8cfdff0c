import { Editor } from '@tiptap/core'
import type { DOMOutputSpec, Mark, Node } from '@tiptap/pm/model'
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { postExtensions } from './post-extensions.ts'

const writingSurface = {
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-label': 'Nội dung bài viết',
  lang: 'vi',
  class: 'rich-text',
}

/** The editor of a post's text, and the function that mounts it in an element. */
export function usePostText(start: string) {
  const [editor] = useState(
    () =>
      new Editor({
        element: null,
        extensions: postExtensions,
        content: start,
        // The document's policy allows no style elements; the styles are in editor.css.
        injectCSS: false,
        editorProps: { attributes: writingSurface },
      }),
  )
  const attach = useCallback(
    (element: HTMLDivElement) => {
      editor.mount(element)
      return () => editor.unmount()
    },
    [editor],
  )
  return {
    editor,
    attach,
    html: () => htmlOf(editor.state.doc),
    /** Replaces the text; does not count as a change by the writer. */
    replace: (html: string) => editor.commands.setContent(html, { emitUpdate: false }),
  }
}

/** Calls after each change of the text by the writer. */
export function useTyped(editor: Editor, onTyped: () => void): void {
  const typed = useEffectEvent(onTyped)
  useEffect(() => {
    const onUpdate = () => typed()
    editor.on('update', onUpdate)
    return () => void editor.off('update', onUpdate)
  }, [editor])
}

/** The editor's state, read again after each of its transactions. */
export function useEditorState(editor: Editor) {
  const subscribe = useCallback(
    (notify: () => void) => {
      editor.on('transaction', notify)
      return () => void editor.off('transaction', notify)
    },
    [editor],
  )
  return useSyncExternalStore(subscribe, () => editor.state)
}

const VOID = new Set(['br', 'hr', 'img'])
const EMPTY_END = /(?:<p><\/p>)+$/

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

type Attributes = Record<string, string | null | undefined>

function attributesOf(given: Attributes): string {
  return Object.entries(given)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => ` ${name}="${escaped(String(value)).replaceAll('"', '&quot;')}"`)
    .join('')
}

/** The opening and closing tags of a node or a mark; its content goes between them. */
function tagsOf(spec: DOMOutputSpec | undefined): [string, string] {
  if (!Array.isArray(spec)) return ['', '']
  const [tag, ...rest] = spec as readonly [string, ...unknown[]]
  const [first, ...others] = rest
  const hasAttributes = typeof first === 'object' && first !== null && !Array.isArray(first)
  const inside = (hasAttributes ? others : rest).find(Array.isArray) as DOMOutputSpec | undefined
  const [start, end] = tagsOf(inside)
  const attributes = hasAttributes ? attributesOf(first as Attributes) : ''
  if (VOID.has(tag)) return [`<${tag}${attributes} />`, '']
  return [`<${tag}${attributes}>${start}`, `${end}</${tag}>`]
}

const tagsOfMark = (mark: Mark) => tagsOf(mark.type.spec.toDOM?.(mark, true))

/** The children of a node. A mark that several of them have is opened once. */
function contentOf(parent: Node): string {
  let html = ''
  let open: Mark[] = []
  const closeTo = (depth: number) => {
    for (const mark of open.slice(depth).reverse()) html += tagsOfMark(mark)[1]
    open = open.slice(0, depth)
  }
  parent.forEach((node) => {
    const firstClosed = open.findIndex((mark, depth) => !node.marks[depth]?.eq(mark))
    closeTo(firstClosed === -1 ? open.length : firstClosed)
    for (const mark of node.marks.slice(open.length)) {
      html += tagsOfMark(mark)[0]
      open.push(mark)
    }
    html += node.isText ? escaped(node.text ?? '') : htmlOfNode(node)
  })
  closeTo(0)
  return html
}

function htmlOfNode(node: Node): string {
  const [start, end] = tagsOf(node.type.spec.toDOM?.(node))
  return start + contentOf(node) + end
}

/**
 * The HTML of a document, exactly as the sanitiser writes it, so that saving changes nothing. Without the empty
 * paragraphs at its end, which are only there to continue writing.
 */
export const htmlOf = (document: Node): string => contentOf(document).replace(EMPTY_END, '')
