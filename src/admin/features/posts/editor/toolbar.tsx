import type { ChainedCommands, Editor } from '@tiptap/core'
import type { Node } from '@tiptap/pm/model'
import { type EditorState, NodeSelection, TextSelection, type Transaction } from '@tiptap/pm/state'
import { type KeyboardEvent, type SyntheticEvent, useState } from 'react'
import { PictureDialog } from '#admin/features/posts/pictures/picture-dialog.tsx'
import { Dialog } from '#admin/kit/dialog.tsx'
import { linkAttributes } from '#contract/post-html.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { insertPictures } from './insert-pictures.ts'
import { PasteRest } from './paste-rest.tsx'
import { addColumn, addRow, insertTable, isInTable, removeColumn, removeRow } from './table-commands.ts'
import { useEditorState } from './use-post-text.ts'

const copy = {
  toolbar: 'Định dạng nội dung',
  block: 'Kiểu đoạn',
  blocks: { p: 'Đoạn văn', h2: 'Tiêu đề lớn', h3: 'Tiêu đề vừa', h4: 'Tiêu đề nhỏ' },
  undo: 'Hoàn tác',
  redo: 'Làm lại',
  bold: 'Đậm',
  italic: 'Nghiêng',
  underline: 'Gạch chân',
  strike: 'Gạch ngang',
  code: 'Mã',
  link: 'Liên kết',
  bulletList: 'Danh sách chấm',
  orderedList: 'Danh sách số',
  quote: 'Trích dẫn',
  codeBlock: 'Khối mã',
  rule: 'Đường kẻ',
  picture: 'Ảnh',
  caption: 'Chú thích ảnh',
  table: 'Bảng',
  addRow: 'Thêm hàng',
  addColumn: 'Thêm cột',
  removeRow: 'Xóa hàng',
  removeColumn: 'Xóa cột',
  linkTitle: 'Liên kết',
  linkAddress: 'Địa chỉ',
  linkHint: 'Trang của cổng (/download), https://…, mailto:… hoặc tel:…',
  linkWrong: 'Địa chỉ không dùng được',
  linkSet: 'Đặt liên kết',
  linkRemove: 'Bỏ liên kết',
  pictureTitle: 'Chèn ảnh',
} as const

type Tool = {
  label: string
  sign: string
  act: () => unknown
  isOn?: boolean
  isOff?: boolean
}

const BLOCKS = ['p', 'h2', 'h3', 'h4'] as const

/** What the selected text is made into, by pointer or by keyboard: one stop of Tab, inside it arrow keys. */
export function Toolbar({ editor, isTextOnly = false }: { editor: Editor; isTextOnly?: boolean }) {
  const state = useEditorState(editor)
  const [focused, setFocused] = useState<string>(copy.block)
  const [open, setOpen] = useState<'link' | 'picture' | null>(null)
  const tools = [
    ...historyTools(editor),
    ...textTools(editor),
    {
      label: copy.link,
      sign: copy.link,
      act: () => setOpen('link'),
      isOn: editor.isActive('link'),
    },
    ...blockTools(editor),
    ...(isTextOnly ? [] : [{ label: copy.picture, sign: copy.picture, act: () => setOpen('picture') }]),
    ...placeTools(editor, state),
  ]
  // A tool that is hidden or disabled cannot be focused.
  const stop = tools.some(({ label, isOff }) => label === focused && !isOff) ? focused : copy.block
  return (
    <>
      <div
        role="toolbar"
        aria-label={copy.toolbar}
        tabIndex={-1}
        className="sticky top-0 z-10 flex flex-wrap gap-1 border-b border-line bg-raised p-2"
        onKeyDown={moveFocus}
        onFocus={({ target }) => setFocused(target.getAttribute('aria-label') ?? copy.block)}
      >
        <BlockSelect editor={editor} tabIndex={stop === copy.block ? 0 : -1} />
        {tools.map(({ label, sign, act, isOn, isOff }) => (
          <button
            key={label}
            type="button"
            aria-label={label}
            title={label}
            aria-pressed={isOn}
            disabled={isOff}
            tabIndex={stop === label ? 0 : -1}
            // The selection stays where it is.
            onMouseDown={(event) => event.preventDefault()}
            onClick={act}
            className="grid min-h-11 min-w-11 place-items-center rounded-lg px-2 font-bold hover:bg-sunken disabled:text-soft aria-pressed:bg-wash aria-pressed:text-vermilion"
          >
            {sign}
          </button>
        ))}
      </div>
      <PasteRest editor={editor} isTextOnly={isTextOnly} />
      {open === 'link' && <LinkDialog editor={editor} onClose={() => setOpen(null)} />}
      {open === 'picture' && (
        <PictureDialog
          title={copy.pictureTitle}
          onChosen={(pictures) => insertPictures(editor, pictures)}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}

/** As the toolbar of the ARIA Authoring Practices: arrows go round, Home and End to the ends. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const controls = [...event.currentTarget.querySelectorAll<HTMLElement>('select, button:not(:disabled)')]
  const at = controls.indexOf(event.target as HTMLElement)
  const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
  if (next === undefined) return
  controls.at(next % controls.length)?.focus()
  event.preventDefault()
}

function BlockSelect({ editor, tabIndex }: { editor: Editor; tabIndex: number }) {
  const level = [2, 3, 4].find((one) => editor.isActive('heading', { level: one }))
  const choose = (block: string) =>
    block === 'p'
      ? editor.chain().focus().setParagraph().run()
      : editor
          .chain()
          .focus()
          .setHeading({ level: Number(block.slice(1)) as 2 | 3 | 4 })
          .run()
  return (
    <select
      aria-label={copy.block}
      tabIndex={tabIndex}
      className="min-h-11 rounded-lg border border-line-strong bg-paper px-2"
      value={level === undefined ? 'p' : `h${level}`}
      onChange={({ target }) => choose(target.value)}
    >
      {BLOCKS.map((block) => (
        <option key={block} value={block}>
          {copy.blocks[block]}
        </option>
      ))}
    </select>
  )
}

const historyTools = (editor: Editor): Tool[] => [
  {
    label: copy.undo,
    sign: '↶',
    act: () => editor.chain().focus().undo().run(),
    isOff: !editor.can().undo(),
  },
  {
    label: copy.redo,
    sign: '↷',
    act: () => editor.chain().focus().redo().run(),
    isOff: !editor.can().redo(),
  },
]

const textTools = (editor: Editor): Tool[] => {
  const mark = (name: string, label: string, sign: string): Tool => ({
    label,
    sign,
    act: () => editor.chain().focus().toggleMark(name).run(),
    isOn: editor.isActive(name),
  })
  return [
    mark('bold', copy.bold, 'B'),
    mark('italic', copy.italic, 'I'),
    mark('underline', copy.underline, 'U'),
    mark('strike', copy.strike, 'S'),
    mark('code', copy.code, '<>'),
  ]
}

const blockTools = (editor: Editor): Tool[] => {
  const chain = () => editor.chain().focus()
  const block = (name: string, label: string, sign: string, toggle: () => ChainedCommands): Tool => ({
    label,
    sign,
    act: () => toggle().run(),
    isOn: editor.isActive(name),
  })
  return [
    block('bulletList', copy.bulletList, '•', () => chain().toggleBulletList()),
    block('orderedList', copy.orderedList, '1.', () => chain().toggleOrderedList()),
    block('blockquote', copy.quote, '❝', () => chain().toggleBlockquote()),
    block('codeBlock', copy.codeBlock, '{ }', () => chain().toggleCodeBlock()),
    { label: copy.rule, sign: '―', act: () => chain().setHorizontalRule().run() },
  ]
}

/** What depends on where the cursor is. */
function placeTools(editor: Editor, state: EditorState): Tool[] {
  const run = (command: (state: EditorState) => Transaction | null) => () => {
    const transaction = command(editor.state)
    if (transaction !== null) editor.view.dispatch(transaction)
    editor.commands.focus()
  }
  if (isPictureSelected(state)) return [{ label: copy.caption, sign: 'Aa', act: run(captionPicture) }]
  if (!isInTable(state)) return [{ label: copy.table, sign: copy.table, act: run(insertTable) }]
  return [
    { label: copy.addRow, sign: '+↓', act: run(addRow) },
    { label: copy.addColumn, sign: '+→', act: run(addColumn) },
    { label: copy.removeRow, sign: '−↓', act: run(removeRow) },
    { label: copy.removeColumn, sign: '−→', act: run(removeColumn) },
  ]
}

/** The address of the link on the selected text. Without a selection the address itself is inserted. */
function LinkDialog({ editor, onClose }: { editor: Editor; onClose: () => void }) {
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
      <form className="space-y-4" noValidate data-unsent={address !== before || undefined} onSubmit={set}>
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

const CAPTION_OFFSET = 2

/** A caption below the picture that is selected, or the cursor into the one it has. Null when no picture is. */
function captionPicture({ schema, selection, tr }: EditorState): Transaction | null {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'picture') return null
  const { $from, node, from, to } = selection
  const isInFigure = $from.parent.type.name === 'figure'
  const caption = schema.nodes['caption']?.create() as Node
  if (!isInFigure)
    tr.replaceRangeWith(from, to, schema.nodes['figure']?.create(null, [node, caption]) as Node)
  else if ($from.parent.childCount === 1) tr.insert(to, caption)
  const inCaption = (isInFigure ? to : from + node.nodeSize) + (isInFigure ? 1 : CAPTION_OFFSET)
  return tr.setSelection(TextSelection.near(tr.doc.resolve(inCaption))).scrollIntoView()
}

const isPictureSelected = ({ selection }: EditorState): boolean =>
  selection instanceof NodeSelection && selection.node.type.name === 'picture'
