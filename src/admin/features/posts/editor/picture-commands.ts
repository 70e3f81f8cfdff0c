import { NodeSelection, TextSelection, type EditorState, type Transaction } from '@tiptap/pm/state'
import type { Node } from '@tiptap/pm/model'
import type { OperatorPicture } from '#contract/operator/pictures.ts'

const CAPTION_OFFSET = 2

/** An uploaded picture as the attributes of one in a text. */
export const shownAs = ({ urls, alt, width, height }: OperatorPicture) => ({
  src: urls['640'],
  alt,
  width: String(width),
  height: String(height),
})

/** A caption below the picture that is selected, or the cursor into the one it has. Null when no picture is. */
export function captionPicture({ schema, selection, tr }: EditorState): Transaction | null {
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

export const isPictureSelected = ({ selection }: EditorState): boolean =>
  selection instanceof NodeSelection && selection.node.type.name === 'picture'
