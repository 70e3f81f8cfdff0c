import type { Editor } from '@tiptap/core'
import { useEffect, useState } from 'react'
import { PICTURE_TYPES } from '#contract/operator/posts.ts'
import { type LeftOut, parsePasted, readPastedHtml } from './pasted-html.ts'

/** What the last paste brought that is not in the text: left out, or waiting to be uploaded. */
export type PasteRest = { leftOut: LeftOut; pictures: readonly File[] }

type Report = (rest: PasteRest | null) => void

/**
 * What is pasted or dropped arrives in a form that a post can hold; the rest is told. Pictures from the clipboard, or inside
 * the HTML, are handed to the dialog that uploads them.
 */
export function usePaste(editor: Editor) {
  const [rest, setRest] = useState<PasteRest | null>(null)
  useEffect(() => {
    editor.setOptions({ editorProps: { ...editor.options.editorProps, ...pasting(setRest) } })
  }, [editor])
  return {
    rest,
    dismiss: () => setRest(null),
    /** The pictures are in the text, or were given up; what was left out is still told. */
    uploaded: () =>
      setRest((now) =>
        now === null || Object.keys(now.leftOut).length === 0 ? null : { ...now, pictures: [] },
      ),
  }
}

function pasting(report: Report) {
  const tell = (leftOut: LeftOut, pictures: readonly File[]) => {
    const hasRest = pictures.length > 0 || Object.keys(leftOut).length > 0
    report(hasRest ? { leftOut, pictures } : null)
  }
  /** Pictures alone: a screenshot, or a picture that was copied from a page. */
  const takeFiles = (data: DataTransfer | null): boolean => {
    const files = [...(data?.files ?? [])]
    if (data === null || files.length === 0 || hasText(data)) return false
    const pictures = files.filter(({ type }) => PICTURE_TYPES.some((one) => one === type))
    const others = files.length - pictures.length
    tell(others > 0 ? { unreadablePictures: others } : {}, pictures)
    return true
  }
  return {
    handlePaste: (_view: unknown, event: ClipboardEvent) => takeFiles(event.clipboardData),
    handleDrop: (_view: unknown, event: DragEvent, _slice: unknown, isMoved: boolean) =>
      !isMoved && takeFiles(event.dataTransfer),
    transformPastedHTML: (html: string) => {
      // The editor's own, cut or copied here.
      if (/<[a-z]+ [^>]*data-pm-slice=/i.test(html)) {
        report(null)
        return html
      }
      const pasted = readPastedHtml(html)
      tell(pasted.leftOut, pasted.pictures)
      return pasted.html
    },
  }
}

/** Word and Excel put a picture of a text on the clipboard beside the text. */
function hasText(data: DataTransfer): boolean {
  const html = data.getData('text/html')
  const text = parsePasted(html).textContent ?? ''
  return html === '' ? data.getData('text/plain').trim() !== '' : text.trim() !== ''
}
