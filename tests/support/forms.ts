import { randomBytes } from 'node:crypto'

/** One part of a form, sent unchanged; with a `filename` it is a file. */
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

/** A body that is sent as a form and not as JSON. */
export class FormFields {
  readonly fields: Record<string, string>

  constructor(fields: Record<string, string>) {
    this.fields = fields
  }
}

const fieldsOf = (body: unknown): object => (body instanceof FormFields ? body.fields : (body as object))

/** Two bodies in one, the later one's fields before the earlier one's; a form when one of them is. */
export function bothBodies(first: unknown, last: unknown): unknown {
  const both = { ...fieldsOf(first), ...fieldsOf(last) }
  if (![first, last].some((body) => body instanceof FormFields)) return both
  return new FormFields(
    Object.fromEntries(Object.entries(both).map(([name, value]) => [name, String(value)])),
  )
}

export const partsOf = (fields: Record<string, string>): Part[] =>
  Object.entries(fields).map(([name, value]) => ({ name, value }))
