import { randomBytes } from 'node:crypto'

/** One part of a form, byte for byte as told; with a `filename` it is a file. */
export type Part = { name: string; value: string | Buffer; filename?: string; type?: string }

/** A form as a browser sends it. */
export function formOf(parts: readonly Part[]): { body: Buffer; headers: Record<string, string> } {
  const boundary = `----thu${randomBytes(12).toString('hex')}`
  const pieces = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`
    const kind = type === undefined ? '' : `\r\ncontent-type: ${type}`
    return [
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${file}${kind}\r\n\r\n`,
      value,
      '\r\n',
    ].map((piece) => Buffer.from(piece as string))
  })
  return {
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
  }
}

export const partsOf = (fields: Record<string, string>): Part[] =>
  Object.entries(fields).map(([name, value]) => ({ name, value }))
