import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { FormShape } from '#contract/endpoint.ts'
import { boundedQueue } from '../process/bounded-queue.ts'
import { Refusal, type FieldErrors } from '../values/errors.ts'

/** The content of a form: its texts, and its complete files. */
export type Form = { fields: Record<string, string>; files: Buffer[] }

const FIELDS_MAX = 40
const FIELD_BYTES_MAX = 8 * 1024
/** As many as any form takes, and one more: one too many is recognised and refused. */
const FILES_MAX = 5
/** Beside the files: all fields, and the lines between the parts. */
const REST_BYTES_MAX = (FIELDS_MAX + 1) * FIELD_BYTES_MAX

const UNREADABLE = 'Giá trị không hợp lệ'
const TWICE = 'Chỉ được gửi một lần'
const tooMany = (most: number) => `Tối đa ${most} tệp`

/** Each holds its files in memory while it is read, and a slow sender takes long. */
const queued = boundedQueue({
  runningMax: 12,
  // One client has one form in each process, and must not block the others.
  leastEach: 3,
  waitingMax: 60,
  waitMsMax: 5_000,
  refusal: () => new Refusal('UNAVAILABLE', { retryAfterSeconds: 5 }),
})

/** Sessions whose form is being read: one form per session, so that one client cannot use all slots. */
const reading = new Set<string>()

/** Lets the routes of this scope, and no others, receive forms. Nothing is read until `readForm` does. */
export async function takeForms(scope: FastifyInstance): Promise<void> {
  await scope.register(multipart, {
    throwFileSizeLimit: false,
    limits: {
      fieldNameSize: 100,
      fieldSize: FIELD_BYTES_MAX,
      fields: FIELDS_MAX,
      files: FILES_MAX,
      parts: FIELDS_MAX + FILES_MAX,
      headerPairs: 20,
    },
  })
}

type Reading = { form: FormShape; sessionId: string }

/**
 * Reads a form to its end, so that every field that is wrong can be named at once. Name and type
 * that a file claims are ignored.
 */
export async function readForm(request: FastifyRequest, what: Reading): Promise<Form> {
  if (!request.isMultipart()) throw new Refusal('BAD_REQUEST')
  try {
    return await readInTurn(request, what)
  } finally {
    // Unread bytes must not block the next request of the connection.
    request.raw.unpipe()
    request.raw.resume()
  }
}

async function readInTurn(request: FastifyRequest, { form, sessionId }: Reading): Promise<Form> {
  const bytesMax = form.fileBytesMax * (form.filesMax ?? 1) + REST_BYTES_MAX
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
    throw new Refusal('PAYLOAD_TOO_LARGE')
  }
  if (reading.has(sessionId)) throw new Refusal('IN_PROGRESS', { retryAfterSeconds: 1 })
  reading.add(sessionId)
  try {
    return await queued(() =>
      readParts(request, form).catch((error: unknown) => refuseBroken(request, error)),
    )
  } finally {
    reading.delete(sessionId)
  }
}

async function readParts(request: FastifyRequest, form: FormShape): Promise<Form> {
  const fields = new Map<string, string>()
  const errors: FieldErrors = {}
  const files: Buffer[] = []
  const { filesMax = 1 } = form
  const names = new Set<string>()
  for await (const part of request.parts({
    limits: { fileSize: form.fileBytesMax + 1, files: filesMax + 1 },
  })) {
    const { fieldname: name } = part
    const isTwice = names.has(name)
    names.add(name)
    if (part.type === 'file') {
      const bytes = await part.toBuffer()
      // A browser sends this for an empty file field.
      if (!part.filename && bytes.length === 0) continue
      if (name !== form.file) errors[name] = [UNREADABLE]
      else if (files.length >= filesMax) errors[name] = [filesMax === 1 ? TWICE : tooMany(filesMax)]
      else if (part.file.truncated || bytes.length > form.fileBytesMax) errors[name] = [form.fileTooLarge]
      else files.push(bytes)
    } else if (isTwice) errors[name] = [TWICE]
    else if (name === form.file || typeof part.value !== 'string' || part.valueTruncated) {
      errors[name] = [UNREADABLE]
    } else fields.set(name, part.value)
  }
  const [first] = Object.values(errors)
  if (first?.[0] !== undefined) throw new Refusal('VALIDATION', { message: first[0], errors })
  return { fields: Object.fromEntries(fields), files }
}

/** Whatever error the parser reports is the sender's mistake. */
function refuseBroken(request: FastifyRequest, error: unknown): never {
  if (error instanceof Refusal) throw error
  if ((error as { statusCode?: unknown }).statusCode === 413) throw new Refusal('PAYLOAD_TOO_LARGE')
  request.log.info({ err: error, event: 'http.broken-form' }, 'a form could not be read')
  throw new Refusal('BAD_REQUEST')
}
