import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A piece of a document, compressed at most once: also when many documents have it. */
export type Piece = { bytes: Buffer; deflated?: Buffer }

const BEST = 9
/** Much of the gain for little of the work: all there is when nobody asks a second time. */
const QUICK = 1

export const ownPiece = (text: string): Piece => ({ bytes: Buffer.from(text) })

export function commonPiece(text: string): Piece {
  const bytes = Buffer.from(text)
  return { bytes, deflated: deflated(bytes, BEST) }
}

export const bytesOf = (pieces: readonly Piece[]): Buffer => Buffer.concat(pieces.map(({ bytes }) => bytes))

/** Blocks that refer to nothing before them and end with a whole byte, so that other blocks may stand around them. */
const deflated = (bytes: Buffer, level: number): Buffer =>
  deflateRawSync(bytes, { level, finishFlush: constants.Z_SYNC_FLUSH })

/** Of a gzip file without name and time (RFC 1952). */
const START = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty last block, then sum and length. */
const LAST_BLOCK = 3
const END_BYTES = 10

/** The pieces as one gzip file, for which only those of one document are compressed now. */
export function zippedQuickly(pieces: readonly Piece[]): Buffer {
  const end = Buffer.alloc(END_BYTES)
  let sum = 0
  let length = 0
  for (const { bytes } of pieces) {
    sum = crc32(bytes, sum)
    length += bytes.length
  }
  end.writeUInt16LE(LAST_BLOCK, 0)
  end.writeUInt32LE(sum, 2)
  end.writeUInt32LE(length, 6)
  return Buffer.concat([
    START,
    ...pieces.map((piece) => (piece.deflated ??= deflated(piece.bytes, QUICK))),
    end,
  ])
}
