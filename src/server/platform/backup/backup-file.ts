import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { access, open, rename, rm, stat } from 'node:fs/promises'
import { pipeline as streamPipeline, Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { Decrypter, Encrypter } from 'age-encryption'
import { z } from 'zod'
import { oneForm } from '#contract/fields.ts'
import { SetupProblem } from '../values/errors.ts'
import { secretForms } from '../values/secret-forms.ts'

/**
 * A backup is text, compressed by zstd, and encrypted by age when there is a key:
 *
 *     {"format":"cong-ninja backup", …}                     the header
 *     {"table":"public.users","columns":["id", …]}          for each table its name,
 *     1<tab>hoangtuan<tab>…                                 its rows as PostgreSQL's COPY writes them,
 *     \.
 *     {"rows":1,"sha256":"…"}                               and their number and checksum
 *     {"end":true,"sequences":{…}, …}                       the last line: a file without it was cut off
 *
 * COPY escapes every backslash and line break of a value, so the line `\.` is never a row.
 */
export const FORMAT = 'cong-ninja backup'
export const FORMAT_VERSION = 1
export const END_OF_ROWS = Buffer.from('\\.\n')

export const headerSchema = z.object({
  format: z.literal(FORMAT),
  version: z.int(),
  moment: z.iso.datetime(),
  mode: z.enum(['demo', 'live']),
  migrations: z.array(z.object({ name: z.string(), checksum: z.string() })),
})
export type Header = z.infer<typeof headerSchema>

export const tableSchema = z.object({ table: z.string(), columns: z.array(z.string()) })
export const tableEndSchema = z.object({ rows: z.int(), sha256: z.string() })
export const endSchema = z.object({
  end: z.literal(true),
  tables: z.int(),
  rows: z.int(),
  sequences: z.record(z.string(), z.string()),
})
export type BackupEnd = z.infer<typeof endSchema>

export const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`

export const newChecksum = () => createHash('sha256')

const ZSTD_MARK = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])
const AGE_MARK = Buffer.from('age-encryption.org/v1\n')

/**
 * Writes a new file, compressed, and encrypted when there is a key, and answers its bytes. It has its name only when it
 * is whole and on the disk. Memory does not grow with what is written.
 */
export async function writeBackupFile(
  file: string,
  key: string | null,
  content: AsyncGenerator<Buffer | string>,
): Promise<number> {
  await requireAbsent(file)
  const draft = `${file}.part`
  const sink = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  const compressing = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } })
  const compressed = streamPipeline(Readable.from(content, { objectMode: false }), compressing, () => {})
  try {
    await (key === null
      ? pipeline(compressed, withLength(), sink)
      : pipeline(await encrypted(compressed, key), sink))
    await rename(draft, file)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') await rm(draft, { force: true })
    throw typeof code === 'string' && /^E[A-Z]+$/.test(code) ? unwritable(file, code) : error
  }
  return (await stat(file)).size
}

/** Head of a frame that every zstd reader skips, and its size: eight bytes (RFC 8878, 3.1.2). */
const LENGTH_FRAME = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0])
const LENGTH_FRAME_BYTES = LENGTH_FRAME.length + 8

/**
 * Ends a compressed file by its length: Node's decompression takes some files that lack their last bytes for whole.
 * Encryption needs none, since age proves the end of what it encrypted.
 */
function withLength(): Transform {
  let length = 0n
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      length += BigInt(chunk.length)
      done(null, chunk)
    },
    flush(done) {
      done(null, lengthFrame(length))
    },
  })
}

function lengthFrame(length: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(length)
  return Buffer.concat([LENGTH_FRAME, bytes])
}

/** How long a compressed file is without the frame at its end; damaged when that does not match. */
async function lengthWithoutFrame(file: string): Promise<number> {
  const length = (await stat(file)).size - LENGTH_FRAME_BYTES
  const frame = length > 0 ? await readPart(file, length, LENGTH_FRAME_BYTES) : Buffer.alloc(0)
  if (!frame.equals(lengthFrame(BigInt(Math.max(length, 0))))) throw damagedFile(file)
  return length
}

async function requireAbsent(file: string): Promise<void> {
  try {
    await access(file)
  } catch {
    return
  }
  throw new SetupProblem(`${file} exists already: name another file, or move that one away`)
}

const unwritable = (file: string, code: string) =>
  new SetupProblem(
    code === 'EEXIST'
      ? `${file}.part exists: another backup is writing it, or one was killed; remove it when none runs`
      : `${file} cannot be written (${code}): choose a folder that this user may write to and that has room`,
  )

async function encrypted(plain: Readable, key: string): Promise<Readable> {
  const encrypter = new Encrypter()
  encrypter.setPassphrase(oneForm(key))
  const web = await encrypter.encrypt(Readable.toWeb(plain) as globalThis.ReadableStream<Uint8Array>)
  return Readable.fromWeb(web as ReadableStream)
}

/**
 * The content of a backup; a wrong key or another file is a SetupProblem. The reader notices when it is cut or damaged.
 * Where there is a key, a file without encryption may come from somebody who does not have it: it is opened only if
 * `isUnencryptedTaken`.
 */
export async function openBackupFile(
  file: string,
  key: string | null,
  isUnencryptedTaken = false,
): Promise<Readable> {
  const start = await readPart(file, 0, AGE_MARK.length)
  if (start.subarray(0, ZSTD_MARK.length).equals(ZSTD_MARK)) {
    if (key !== null && !isUnencryptedTaken) {
      throw new SetupProblem(
        `${file} is not encrypted though BACKUP_KEY is set, so anybody may have made it: add --unencrypted if you know where it comes from`,
      )
    }
    const length = await lengthWithoutFrame(file)
    return decompressed(createReadStream(file, { end: length - 1 }))
  }
  if (!start.equals(AGE_MARK))
    throw new SetupProblem(`${file} is no backup of the portal: name one that portal backup wrote`)
  if (key === null) {
    throw new SetupProblem(`${file} is encrypted: set BACKUP_KEY to the key it was made with`)
  }
  const decrypter = new Decrypter()
  // A backup of before may have been made of the key as it was typed then.
  for (const form of secretForms(key)) decrypter.addPassphrase(form)
  const source = createReadStream(file)
  try {
    const web = await decrypter.decrypt(Readable.toWeb(source) as globalThis.ReadableStream<Uint8Array>)
    return decompressed(Readable.fromWeb(web as ReadableStream))
  } catch (error) {
    source.destroy()
    const { message } = error as Error
    throw new SetupProblem(
      /no identity matched/i.test(message)
        ? `BACKUP_KEY does not open ${file}: set it to the key it was made with`
        : damagedText(file),
      { cause: error },
    )
  }
}

const decompressed = (source: Readable): Readable => streamPipeline(source, createZstdDecompress(), () => {})

async function readPart(file: string, from: number, length: number): Promise<Buffer> {
  try {
    const handle = await open(file, 'r')
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new SetupProblem(`${file} cannot be read (${code}): name a backup that this user may read`, {
      cause: error,
    })
  }
}

const damagedText = (file: string) =>
  `${file} is cut off or damaged: use another copy of it, or an older backup`

export const damagedFile = (file: string, cause?: unknown) => new SetupProblem(damagedText(file), { cause })

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
      // What is held back may be the beginning of the end mark.
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
