import * as z from 'zod/mini'
import { etagOf } from './etag.ts'

/** Reduced to its schema, for pages; written and tagged when a client asks for it. */
export class KeptAnswer {
  readonly shown: unknown
  #sent: { body: Buffer; etag: string } | null = null

  constructor(shown: unknown) {
    this.shown = shown
  }

  get sent(): { body: Buffer; etag: string } {
    if (this.#sent !== null) return this.#sent
    const text = JSON.stringify(this.shown)
    return (this.#sent = { body: Buffer.from(text), etag: etagOf(text) })
  }
}

/**
 * Answers that a handler hands out again as long as what they say is true (`keptContent`): each is checked against the
 * schema, written and tagged once. An answer nobody holds any more is forgotten with its bytes.
 */
export function keepingAnswers(schema: z.ZodMiniType): (answer: object) => KeptAnswer {
  const kept = new WeakMap<object, KeptAnswer>()
  return (answer) => {
    const known = kept.get(answer)
    if (known !== undefined) return known
    const made = new KeptAnswer(z.parse(schema, answer))
    kept.set(answer, made)
    return made
  }
}
