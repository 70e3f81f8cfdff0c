import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { SetupProblem } from '../values/errors.ts'
import { damagedFile } from './backup-file.ts'
import { END_OF_ROWS } from './format.ts'

const LINE_END = 0x0a
const LINE_BYTES_MAX = 4_000_000
const AFTER_A_ROW = Buffer.concat([Buffer.from('\n'), END_OF_ROWS])

/** Reads a backup from its start to its end; whatever is wrong with the file is one SetupProblem. */
export class BackupReader {
  readonly #file: string
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(file: string, content: Readable) {
    this.#file = file
    this.#chunks = content[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  }

  damaged(cause?: unknown): SetupProblem {
    return damagedFile(this.#file, cause)
  }

  /** The next line, which has to be of this shape. */
  async line<Shape extends z.ZodType>(schema: Shape): Promise<z.output<Shape>> {
    let end = this.#rest.indexOf(LINE_END)
    while (end < 0) {
      if (this.#rest.length > LINE_BYTES_MAX) throw this.damaged()
      await this.#readMore()
      end = this.#rest.indexOf(LINE_END)
    }
    const text = this.#take(end + 1).toString('utf8')
    try {
      return schema.parse(JSON.parse(text))
    } catch (error) {
      throw this.damaged(error)
    }
  }

  /** The rows of a table as COPY takes them, without the line that ends them. */
  async *rows(): AsyncGenerator<Buffer> {
    while (this.#rest.length < END_OF_ROWS.length) await this.#readMore()
    if (this.#rest.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) {
      this.#take(END_OF_ROWS.length)
      return
    }
    for (;;) {
      const end = this.#rest.indexOf(AFTER_A_ROW)
      if (end >= 0) {
        yield this.#take(end + 1)
        this.#take(END_OF_ROWS.length)
        return
      }
      // What is kept back may be the beginning of the end.
      const sure = this.#rest.length - AFTER_A_ROW.length + 1
      if (sure > 0) yield this.#take(sure)
      await this.#readMore()
    }
  }

  async requireEnd(): Promise<void> {
    if (this.#rest.length > 0 || (await this.#next()) !== null) throw this.damaged()
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #take(bytes: number): Buffer {
    const taken = this.#rest.subarray(0, bytes)
    this.#rest = this.#rest.subarray(bytes)
    return taken
  }

  async #readMore(): Promise<void> {
    const chunk = await this.#next()
    if (chunk === null) throw this.damaged()
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
  }

  async #next(): Promise<Buffer | null> {
    try {
      const { done, value } = await this.#chunks.next()
      return done ? null : value
    } catch (error) {
      throw this.damaged(error)
    }
  }
}
