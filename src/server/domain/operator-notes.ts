import type { OperatorNote } from '#contract/operator/fields.ts'

/** The columns of a note of operators, whatever it is about; `note` and `author` name its table and that of its author. */
export const noteColumns = [
  'note.id',
  'note.text',
  'note.author_id',
  'author.username',
  'note.created_at',
] as const

type NoteRow = { id: string; text: string; author_id: string; username: string; created_at: Date }

export const toOperatorNote = ({ id, text, author_id, username, created_at }: NoteRow): OperatorNote => ({
  id,
  text,
  author: { id: author_id, username },
  created_at: created_at.toISOString(),
})
