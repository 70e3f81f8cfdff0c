import * as z from 'zod/mini'
import { etagOf } from './etag.ts'

export type KeptAnswer = { body: Buffer; etag: string }

/**
 * Bytes of answers that a handler hands out again as long as what they say is true (`keptContent`): each is checked
 * against the schema, written and tagged once. An answer nobody holds any more is forgotten with its bytes.
 */
export function keepingAnswers(schema: z.ZodMiniType): (answer: object) => KeptAnswer {
  const kept = new WeakMap<object, KeptAnswer>()
  return (answer) => {
    const known = kept.get(answer)
    if (known !== undefined) return known
    const text = JSON.stringify(z.parse(schema, answer))
    const made = { body: Buffer.from(text), etag: etagOf(text) }
    kept.set(answer, made)
    return made
  }
}
