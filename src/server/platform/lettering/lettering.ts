/**
 * Lettering as outlines. The renderer's own text depends on the fonts of the machine; these outlines come from
 * the portal's own typeface, so a picture looks the same wherever it is drawn.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateSync } from 'node:zlib'

type Tables = Map<string, DataView>
type Corner = { x: number; y: number; on: boolean }
type Face = {
  unitsPerEm: number
  gidOf: (code: number) => number
  shape: (gid: number) => Corner[][]
  advance: (gid: number) => number
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** WOFF 1.0 is a list of zlib-packed TrueType tables. */
function unpack(file: Buffer): Tables {
  const tables: Tables = new Map()
  const count = file.readUInt16BE(12)
  for (let index = 0; index < count; index += 1) {
    const entry = 44 + index * 20
    const [offset, packed, full] = [4, 8, 12].map((at) => file.readUInt32BE(entry + at)) as [
      number,
      number,
      number,
    ]
    const bytes = file.subarray(offset, offset + packed)
    tables.set(file.toString('latin1', entry, entry + 4), view(packed < full ? inflateSync(bytes) : bytes))
  }
  return tables
}

function table(tables: Tables, name: string): DataView {
  const found = tables.get(name)
  if (found === undefined) throw new Error(`the typeface has no ${name} table`)
  return found
}

/** Code point → glyph, from the first format 4 subtable. */
function readCmap(cmap: DataView): Map<number, number> {
  const glyphs = new Map<number, number>()
  for (let index = 0; index < cmap.getUint16(2); index += 1) {
    const base = cmap.getUint32(4 + index * 8 + 4)
    if (cmap.getUint16(base) !== 4) continue
    const doubled = cmap.getUint16(base + 6)
    for (let segment = 0; segment < doubled; segment += 2) {
      const end = cmap.getUint16(base + 14 + segment)
      const start = cmap.getUint16(base + 16 + doubled + segment)
      const delta = cmap.getInt16(base + 16 + doubled * 2 + segment)
      const rangeAt = base + 16 + doubled * 3 + segment
      const range = cmap.getUint16(rangeAt)
      for (let code = start; code <= end && code < 0xffff; code += 1) {
        const listed = range === 0 ? code : cmap.getUint16(rangeAt + range + (code - start) * 2)
        if (listed !== 0) glyphs.set(code, (listed + delta) & 0xffff)
      }
    }
  }
  return glyphs
}

/** One coordinate list of a simple glyph: short, repeated or two-byte steps, as its flags say. */
function readSteps(
  glyf: DataView,
  at: number,
  flags: number[],
  bits: { short: number; same: number },
): [number[], number] {
  let cursor = at
  let value = 0
  const values = flags.map((flag) => {
    if (flag & bits.short) {
      value += (flag & bits.same ? 1 : -1) * glyf.getUint8(cursor)
      cursor += 1
    } else if (!(flag & bits.same)) {
      value += glyf.getInt16(cursor)
      cursor += 2
    }
    return value
  })
  return [values, cursor]
}

function readSimple(glyf: DataView, base: number, contours: number): Corner[][] {
  const ends = Array.from({ length: contours }, (_, index) => glyf.getUint16(base + 10 + index * 2))
  const total = (ends.at(-1) ?? -1) + 1
  let cursor = base + 10 + contours * 2
  cursor += 2 + glyf.getUint16(cursor)
  const flags: number[] = []
  while (flags.length < total) {
    const flag = glyf.getUint8(cursor)
    cursor += 1
    flags.push(flag)
    if (flag & 8) {
      const repeats = glyf.getUint8(cursor)
      cursor += 1
      for (let index = 0; index < repeats; index += 1) flags.push(flag)
    }
  }
  const [xs, afterX] = readSteps(glyf, cursor, flags, { short: 2, same: 16 })
  const [ys] = readSteps(glyf, afterX, flags, { short: 4, same: 32 })
  const corners = flags.map((flag, index) => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, on: (flag & 1) === 1 }))
  return ends.map((end, index) => corners.slice(index === 0 ? 0 : (ends[index - 1] ?? 0) + 1, end + 1))
}

/** Marked letters are built of parts moved into place; only plain offsets occur in this typeface. */
function readComposite(glyf: DataView, base: number, shape: (gid: number) => Corner[][]): Corner[][] {
  const contours: Corner[][] = []
  let cursor = base + 10
  for (let more = true; more;) {
    const flags = glyf.getUint16(cursor)
    const wide = (flags & 1) !== 0
    const dx = wide ? glyf.getInt16(cursor + 4) : glyf.getInt8(cursor + 4)
    const dy = wide ? glyf.getInt16(cursor + 6) : glyf.getInt8(cursor + 5)
    for (const contour of shape(glyf.getUint16(cursor + 2))) {
      contours.push(contour.map((corner) => ({ ...corner, x: corner.x + dx, y: corner.y + dy })))
    }
    cursor += (wide ? 8 : 6) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
    more = (flags & 0x20) !== 0
  }
  return contours
}

function readFace(script: string, weight: number): Face {
  const name = `@fontsource/be-vietnam-pro/files/be-vietnam-pro-${script}-${weight}-normal.woff`
  const tables = unpack(readFileSync(fileURLToPath(import.meta.resolve(name))))
  const [head, glyf, loca, hmtx] = ['head', 'glyf', 'loca', 'hmtx'].map((each) => table(tables, each)) as [
    DataView,
    DataView,
    DataView,
    DataView,
  ]
  const glyphs = readCmap(table(tables, 'cmap'))
  const isLong = head.getInt16(50) === 1
  const metrics = table(tables, 'hhea').getUint16(34)
  const start = (gid: number): number => (isLong ? loca.getUint32(gid * 4) : loca.getUint16(gid * 2) * 2)
  const shape = (gid: number): Corner[][] => {
    if (start(gid) === start(gid + 1)) return []
    const contours = glyf.getInt16(start(gid))
    return contours >= 0 ? readSimple(glyf, start(gid), contours) : readComposite(glyf, start(gid), shape)
  }
  return {
    unitsPerEm: head.getUint16(18),
    gidOf: (code) => glyphs.get(code) ?? 0,
    shape,
    advance: (gid) => hmtx.getUint16(Math.min(gid, metrics - 1) * 4),
  }
}

/** Quadratic outlines: between two off-curve points lies an unwritten on-curve one. */
function contourPath(contour: Corner[], place: (corner: Corner) => string): string {
  const middle = (a: Corner, b: Corner): Corner => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, on: true })
  const [first, last] = [contour[0], contour.at(-1)]
  if (first === undefined || last === undefined) return ''
  const start = first.on ? first : last.on ? last : middle(first, last)
  let d = `M${place(start)}`
  let control: Corner | undefined
  for (const corner of [...(first.on ? contour.slice(1) : contour), start]) {
    if (control === undefined && corner.on) d += `L${place(corner)}`
    else if (control !== undefined)
      d += `Q${place(control)} ${place(corner.on ? corner : middle(control, corner))}`
    control = corner.on ? undefined : corner
  }
  return `${d}Z`
}

const round = (value: number): number => Math.round(value * 10) / 10

const faces = new Map<number, Face[]>()

type Lettering = {
  x: number
  y: number
  size: number
  weight?: number
  tracking?: number
  anchor?: 'start' | 'middle'
}

function facesOf(weight: number): Face[] {
  const known =
    faces.get(weight) ?? ['latin', 'latin-ext', 'vietnamese'].map((script) => readFace(script, weight))
  faces.set(weight, known)
  return known
}

/** The text without what the typeface cannot write: pictures, other scripts. */
export function writableText(text: string, weight: number): string {
  const known = facesOf(weight)
  const letters = Array.from(text.normalize('NFC'), (letter) =>
    known.some((face) => face.gidOf(letter.codePointAt(0) ?? 0) !== 0) ? letter : ' ',
  )
  return letters.join('').replace(/\s+/g, ' ').trim()
}

/** The outline of one line of text with its baseline at (x, y), and how wide it came out. */
export function lettering(text: string, style: Lettering): { d: string; width: number } {
  const known = facesOf(style.weight ?? 800)
  const letters = Array.from(text.normalize('NFC'), (letter) => {
    const code = letter.codePointAt(0) ?? 0
    const face = known.find((each) => each.gidOf(code) !== 0)
    if (face === undefined) throw new Error(`the typeface cannot write “${letter}”`)
    return { face, gid: face.gidOf(code), scale: style.size / face.unitsPerEm }
  })
  const width = letters.reduce(
    (sum, { face, gid, scale }) => sum + face.advance(gid) * scale + (style.tracking ?? 0),
    0,
  )
  let pen = style.anchor === 'middle' ? style.x - width / 2 : style.x
  let d = ''
  for (const { face, gid, scale } of letters) {
    const place = ({ x, y }: Corner): string => `${round(pen + x * scale)} ${round(style.y - y * scale)}`
    d += face
      .shape(gid)
      .map((contour) => contourPath(contour, place))
      .join('')
    pen += face.advance(gid) * scale + (style.tracking ?? 0)
  }
  return { d, width }
}
