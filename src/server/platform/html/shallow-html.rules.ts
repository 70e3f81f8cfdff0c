import { Tokenizer, type ParserOptions, type TokenizerCallbacks } from 'htmlparser2'

/** As deep as elements may lie in each other: editors write fewer than ten levels, and parsers take quadratic time. */
export const NESTING_MAX = 64

const VOID_ELEMENTS = new Set(['br', 'hr', 'img', 'image'])

type Nesting = {
  /** How many elements are open now. */
  depth: number
  /** Elements that are removed with what is in them: one may lie deeper, since its inside has to be recognised. */
  removed: readonly string[]
}

/**
 * Leaves out tags that would lie deeper than NESTING_MAX before the parser gets them; text, pictures and line breaks in
 * them stay. For the parser of htmlparser2 in the version that sanitize-html uses.
 */
export class ShallowTokenizer extends Tokenizer {
  #text = ''

  constructor(options: ParserOptions & { nesting: Nesting }, parser: TokenizerCallbacks) {
    super(options, parser)
    const { nesting } = options
    const open = parser.onopentagname.bind(parser)
    const close = parser.onclosetag.bind(parser)
    const nameAt = (start: number, end: number) => this.#text.slice(start, end).toLowerCase()
    /** Start tags that were left out, and whose end tags are still to come. */
    const leftOut = new Map<string, number>()

    parser.onopentagname = (start, end) => {
      if (nesting.depth < NESTING_MAX) {
        leftOut.clear()
        return open(start, end)
      }
      const name = nameAt(start, end)
      const isTaken = nesting.depth === NESTING_MAX && nesting.removed.includes(name)
      if (isTaken || VOID_ELEMENTS.has(name)) return open(start, end)
      leftOut.set(name, (leftOut.get(name) ?? 0) + 1)
    }
    parser.onclosetag = (start, end) => {
      if (nesting.depth < NESTING_MAX) return close(start, end)
      const name = nameAt(start, end)
      const count = leftOut.get(name) ?? 0
      if (count === 0) return close(start, end)
      leftOut.set(name, count - 1)
    }
  }

  override write(chunk: string): void {
    this.#text += chunk
    super.write(chunk)
  }
}
