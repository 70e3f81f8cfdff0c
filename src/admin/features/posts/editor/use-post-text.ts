import { Editor } from '@tiptap/core'
import { useCallback, useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { htmlOf } from '#admin/features/posts/editor/html-of.ts'
import { postExtensions } from '#admin/features/posts/editor/post-extensions.ts'
import { editorCopy as copy } from '#admin/features/posts/editor/editor.copy.ts'

const writingSurface = {
  role: 'textbox',
  'aria-multiline': 'true',
  'aria-label': copy.text,
  lang: 'vi',
  class: 'rich-text',
}

/** The editor of a post's text, and what puts it into the element it draws itself in. */
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
    /** Another text in place of what is there; not a change of the writer's. */
    replace: (html: string) => editor.commands.setContent(html, { emitUpdate: false }),
  }
}

/** Calls after each change of the text by the writer. */
export function useTyped(editor: Editor, onTyped: () => void): void {
  const typed = useEffectEvent(onTyped)
  useEffect(() => {
    const heard = () => typed()
    editor.on('update', heard)
    return () => void editor.off('update', heard)
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
