import { randomInt } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import type { TestApp } from '#tests/support/app.ts'
import { FormFields, formOf, partsOf } from '#tests/support/uploads.ts'

export type RequestInput = {
  method: string
  path: string
  token?: string | undefined
  /** Sent as JSON, or as the form it is. */
  body?: unknown
  /** Sent unchanged, with the content type among the headers. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

export type Answer = {
  status: number
  headers: Record<string, string>
  text: string
  /** The body when it is JSON. */
  body: any
}

/** From another address each time, so that rate limits do not interfere. */
const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

function written(body: unknown): { headers: Record<string, string>; payload?: string | Buffer } {
  if (body === undefined) return { headers: {} }
  if (!(body instanceof FormFields)) {
    return { headers: { 'content-type': 'application/json' }, payload: JSON.stringify(body) }
  }
  const { headers, body: payload } = formOf(partsOf(body.fields))
  return { headers, payload }
}

/** One request to the portal and everything that an outsider gets of the answer. */
export async function sendRequest({ app }: Pick<TestApp, 'app'>, question: RequestInput): Promise<Answer> {
  const { method, path, token, body, raw, headers } = question
  const sent = raw === undefined ? written(body) : { headers: {}, payload: raw }
  const answer = await app.inject({
    method,
    url: path,
    remoteAddress: someAddress(),
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...sent.headers,
      ...headers,
    },
    ...(sent.payload === undefined ? {} : { payload: sent.payload }),
  } as InjectOptions)
  const isJson = String(answer.headers['content-type'] ?? '').includes('json') && answer.body !== ''
  return {
    status: answer.statusCode,
    headers: answer.headers as Record<string, string>,
    text: answer.body,
    body: isJson ? (JSON.parse(answer.body) as unknown) : undefined,
  }
}

/** The status of a call that may answer with a stream that never ends. */
export async function statusOfRequest(
  { app }: Pick<TestApp, 'app'>,
  question: RequestInput,
): Promise<number> {
  const sent = written(question.body)
  const answer = await app.inject({
    method: question.method as 'GET',
    url: question.path,
    remoteAddress: someAddress(),
    headers: {
      ...(question.token === undefined ? {} : { authorization: `Bearer ${question.token}` }),
      ...sent.headers,
    },
    ...(sent.payload === undefined ? {} : { payload: sent.payload }),
    payloadAsStream: true,
  })
  answer.stream().destroy()
  return answer.statusCode
}
