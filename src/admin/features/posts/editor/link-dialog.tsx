import type { Editor } from '@tiptap/core'
import { useState, type SyntheticEvent } from 'react'
import { linkAttributes } from '#contract/post-html.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Field } from '#ui/field.tsx'
import { editorCopy as copy } from '#admin/features/posts/editor/editor.copy.ts'

/** The address that the selected text leads to. Without a selection the address itself is written. */
export function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
  const before = (editor.getAttributes('link') as { href?: string | null }).href ?? ''
  const [address, setAddress] = useState(before)
  const [isWrong, setWrong] = useState(false)

  function set(event: SyntheticEvent) {
    event.preventDefault()
    const href = linkAttributes({ href: address })?.href
    if (href === undefined) return setWrong(true)
    const chain = editor.chain().focus().extendMarkRange('link')
    const marks = [{ type: 'link', attrs: { href } }]
    if (editor.state.selection.empty && before === '')
      chain.insertContent({ type: 'text', text: href, marks }).run()
    else chain.setMark('link', { href }).run()
    onClose()
  }

  function remove() {
    editor.chain().focus().extendMarkRange('link').unsetMark('link').run()
    onClose()
  }

  return (
    <Dialog title={copy.linkTitle} onClose={onClose}>
      <form className="space-y-4" noValidate onSubmit={set}>
        <Field
          label={copy.linkAddress}
          hint={copy.linkHint}
          error={isWrong ? copy.linkWrong : undefined}
          value={address}
          data-autofocus
          onChange={({ target }) => {
            setWrong(false)
            setAddress(target.value)
          }}
        />
        <div className="flex flex-wrap justify-end gap-3">
          {before !== '' && (
            <Button kind="plain" onClick={remove}>
              {copy.linkRemove}
            </Button>
          )}
          <Button type="submit">{copy.linkSet}</Button>
        </div>
      </form>
    </Dialog>
  )
}
