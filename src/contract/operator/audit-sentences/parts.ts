import * as z from 'zod/mini'

/** Something an act is about; `type` as in the audit trail, or of what the trail names in passing. */
export type Thing = { type: string; id: string }

const partSchema = z.object({
  text: z.string(),
  /** What the text names, for a link to its screen. */
  thing: z.nullable(z.object({ type: z.string(), id: z.string() })),
})

const changeSchema = z.object({
  /** Empty where the sentence names what was changed. */
  label: z.string(),
  /** Empty: there was nothing; null: nothing that it could be compared with. */
  before: z.nullable(z.string()),
  after: z.string(),
})

/** An act in words: who did it is put before `sentence`, which begins with the verb. */
export const describedActSchema = z.object({
  sentence: z.array(partSchema),
  changes: z.array(changeSchema),
})

export type Part = z.output<typeof partSchema>
export type Change = z.output<typeof changeSchema>
export type DescribedAct = z.output<typeof describedActSchema>

type Piece = string | number | Part | readonly Part[]

const asParts = (piece: Piece): readonly Part[] => {
  if (typeof piece === 'string' || typeof piece === 'number') return [{ text: String(piece), thing: null }]
  return 'text' in piece ? [piece] : piece
}

/** The parts of a sentence; neighbouring words are one part. */
export function say(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Part[] {
  const parts: Part[] = []
  const all = strings.flatMap((text, index) => [
    ...asParts(text),
    ...(index < pieces.length ? asParts(pieces[index] as Piece) : []),
  ])
  for (const part of all) {
    const last = parts.at(-1)
    if (part.thing === null && last?.thing === null) last.text += part.text
    else if (part.text !== '') parts.push({ ...part })
  }
  return parts
}

/** The parts with commas between them. */
export const listed = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [{ text: ', ', thing: null }, part]))

export const textOfParts = (parts: readonly Part[]): string => parts.map(({ text }) => text).join('')
