import type { Editor } from '@tiptap/core'
import type { OperatorPicture } from '#contract/operator/posts.ts'

/** Puts uploaded pictures where the cursor is. */
export const insertPictures = (editor: Editor, pictures: readonly OperatorPicture[]): boolean =>
  editor
    .chain()
    .focus()
    .insertContent(pictures.map((picture) => ({ type: 'picture', attrs: shownAs(picture) })))
    .run()

/** An uploaded picture as the attributes of one in a text. */
const shownAs = ({ urls, alt, width, height }: OperatorPicture) => ({
  src: urls['640'],
  alt,
  width: String(width),
  height: String(height),
})
