import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import { endpoint, type Endpoint } from '#contract/endpoint.ts'
import { errorCatalogue, type ErrorCode } from '#contract/errors.ts'
import { phone } from '#contract/fields.ts'
import { jsonParameters } from '#contract/operator/fields.ts'
import { sendSandboxSms } from '#contract/accounts/one-time-codes.ts'
import { pagePolicy } from '../platform/pages/csp.ts'
import { DOCUMENT_HEADERS } from '../platform/http/edge.ts'

type JsonSchema = Record<string, unknown>

/** Numbers are brought into one form before their pattern is checked, so that pattern describes too little of what is accepted. */
const PHONES = new Map<unknown, JsonSchema>([
  [
    phone,
    {
      type: 'string',
      description: 'A Vietnamese mobile number in any usual form: `0912 345 678`, `+84 912 345 678`.',
    },
  ],
  [sendSandboxSms.body?.shape.phone, { type: 'string', description: 'A number in any usual form.' }],
])

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output' = 'input'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const known = PHONES.get(zodSchema)
      if (known) for (const key of Object.keys(jsonSchema)) delete (jsonSchema as JsonSchema)[key]
      Object.assign(jsonSchema, known)
      nameProperties(jsonSchema as JsonSchema)
    },
  }) as JsonSchema
  return rest
}

/** Writes the properties of a record with known keys one by one: not every reader of schemas combines `required` with `propertyNames`. */
function nameProperties(schema: JsonSchema): void {
  const { propertyNames, additionalProperties } = schema as {
    propertyNames?: { enum?: string[] }
    additionalProperties?: unknown
  }
  if (!propertyNames?.enum) return
  schema.properties = Object.fromEntries(propertyNames.enum.map((name) => [name, additionalProperties]))
  schema.additionalProperties = false
  delete schema.propertyNames
}

/** `GET /recharge/orders/{code}` is `getRechargeOrdersByCode`. */
function operationIdOf({ method, path }: Endpoint): string {
  const words = path.replace(/\{(\w+)\}/g, 'by-$1').split(/[^A-Za-z0-9]+/)
  const capitalised = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return method.toLowerCase() + capitalised.join('')
}

const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description: 'The caller’s own key: the same key and body has one effect and one answer.',
}

function parameters(endpoint: Endpoint): JsonSchema[] {
  const of = (schema: z.ZodMiniType | undefined, where: 'path' | 'query'): JsonSchema[] => {
    if (!schema) return []
    const { properties = {}, required = [] } = schemaOf(schema) as {
      properties?: Record<string, JsonSchema>
      required?: string[]
    }
    const { shape } = schema as z.ZodMiniObject
    return Object.entries(properties).map(([name, property]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      schema: parameterSchema(shape[name] as z.ZodMiniType, property),
    }))
  }
  const headers = Object.entries(endpoint.headers ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description,
  }))
  return [
    ...of(endpoint.params, 'path'),
    ...of(endpoint.query, 'query'),
    ...headers,
    ...(endpoint.isIdempotent ? [idempotencyKey] : []),
  ]
}

/**
 * A parameter's own schema. One that holds JSON is described as a text with a pattern, which every generator of clients
 * understands, and what is inside by the keywords that JSON Schema has for it.
 */
function parameterSchema(parameter: z.ZodMiniType, property: JsonSchema): JsonSchema {
  const json = jsonParameters.get(parameter)
  if (json === undefined) return property
  const content = schemaOf(json.schema as z.ZodMiniType)
  return {
    ...property,
    pattern: content.type === 'object' ? String.raw`^\s*\{[\s\S]*\}\s*$` : String.raw`^\s*\[[\s\S]*\]\s*$`,
    contentMediaType: 'application/json',
    contentSchema: content,
  }
}

const REFUSAL = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } }

/** What any call may be refused with, whatever it is about; only these may also come without a call being reached. */
const OF_EVERY_CALL = [
  'BAD_REQUEST',
  'URI_TOO_LONG',
  'RATE_LIMITED',
  'INTERNAL',
  'UNAVAILABLE',
  'MAINTENANCE',
] as const satisfies readonly ErrorCode[]

/** Headers above 16 KB are refused before a call is known, in the words of a bad request. */
const TOO_LARGE_HEADERS = '431'

/** The refusals of a call by status; the codes of each stand in its description. */
function refusals(endpoint: Endpoint): Record<string, JsonSchema> {
  const codes = new Set<ErrorCode>([...OF_EVERY_CALL, ...(endpoint.errors ?? [])])
  if (endpoint.isIdempotent) for (const code of ['KEY_REUSED', 'IN_PROGRESS'] as const) codes.add(code)
  if (endpoint.body || endpoint.query || endpoint.params || endpoint.isIdempotent) codes.add('VALIDATION')
  if (endpoint.body) codes.add('PAYLOAD_TOO_LARGE')
  if (endpoint.access !== 'open') codes.add('UNAUTHENTICATED')
  if (endpoint.access === 'operator' || typeof endpoint.access === 'object')
    for (const code of ['SESSION_LOCKED', 'FORBIDDEN'] as const) codes.add(code)
  const byStatus = Map.groupBy(codes, (code) => String(errorCatalogue[code].status))
  const responses = [...byStatus].map(([status, ofStatus]) => {
    const isUsual = ofStatus.every((code) => (OF_EVERY_CALL as readonly ErrorCode[]).includes(code))
    const usual = { $ref: `#/components/responses/Refused${status}` }
    return [status, isUsual ? usual : { description: ofStatus.join(', '), content: REFUSAL }]
  })
  const ofHeaders = { $ref: `#/components/responses/Refused${TOO_LARGE_HEADERS}` }
  return Object.fromEntries([...responses, [TOO_LARGE_HEADERS, ofHeaders]]) as Record<string, JsonSchema>
}

function usualRefusals(): Record<string, JsonSchema> {
  const retryAfter = {
    'Retry-After': { schema: { type: 'integer' }, description: 'Seconds until it is worth trying again.' },
  }
  const byStatus = Map.groupBy(OF_EVERY_CALL, (code) => errorCatalogue[code].status)
  const responses = [...byStatus].map(([status, codes]) => [
    `Refused${status}`,
    {
      description: codes.join(', '),
      ...(status === 429 || status === 503 ? { headers: retryAfter } : {}),
      content: REFUSAL,
    },
  ])
  const ofHeaders = { description: 'Too large headers', content: REFUSAL }
  return Object.fromEntries([...responses, [`Refused${TOO_LARGE_HEADERS}`, ofHeaders]]) as Record<
    string,
    JsonSchema
  >
}

function bodyContent({ form }: Endpoint, schema: JsonSchema): JsonSchema {
  if (!form) return { 'application/json': { schema } }
  const file = { type: 'string', format: 'binary', description: `At most ${form.fileBytesMax} bytes.` }
  const { filesMax = 1 } = form
  const sent = filesMax === 1 ? file : { type: 'array', maxItems: filesMax, items: file }
  const properties = { ...(schema.properties as JsonSchema), [form.file]: sent }
  return { 'multipart/form-data': { schema: { ...schema, properties } } }
}

/** The body of a success by media type; undefined where there is none. */
function answerContent({ answer, file, isStream }: Endpoint): JsonSchema | undefined {
  if (file) return { [file]: { schema: { type: 'string', format: 'binary' } } }
  if (!answer) return undefined
  const schema = schemaOf(answer, 'output')
  if (!isStream) return { 'application/json': { schema } }
  const description = 'Server-sent events; the data of each is JSON of the shape below `contentSchema`.'
  return {
    'text/event-stream': {
      schema: { type: 'string', description, contentMediaType: 'application/json', contentSchema: schema },
    },
  }
}

function operation(endpoint: Endpoint): JsonSchema {
  const answered = answerContent(endpoint)
  const content = answered ? { content: answered } : {}
  const status = String(answered ? (endpoint.status ?? 200) : 204)
  const body = endpoint.body && { required: true, content: bodyContent(endpoint, schemaOf(endpoint.body)) }
  const [tag = ''] = endpoint.path.split('/').filter((part) => part !== '')
  return {
    operationId: operationIdOf(endpoint),
    tags: [tag],
    summary: endpoint.summary,
    parameters: parameters(endpoint),
    ...(body ? { requestBody: body } : {}),
    security: endpoint.access === 'open' ? [] : [{ session: [] }],
    ...(typeof endpoint.access === 'object' ? { 'x-permission': endpoint.access.permission } : {}),
    responses: {
      [status]: { description: 'Success', ...content },
      ...(endpoint.mayWait ? { 202: { description: 'Waits for a second person', ...content } } : {}),
      ...refusals(endpoint),
    },
  }
}

const refusalSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'requestId'],
  properties: {
    code: { type: 'string', enum: Object.keys(errorCatalogue) },
    message: { type: 'string', description: 'A sentence in Vietnamese, ready to show.' },
    report: { type: 'boolean', description: 'Show the message in a dialog.' },
    notify: { type: 'boolean', description: 'Show the message as a toast.' },
    errors: {
      description: 'With VALIDATION: the messages of each wrong field, most important first.',
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
    offer: {
      description: 'With PRICE_CHANGED: what would be bought now.',
      type: 'object',
      required: ['amount'],
      properties: {
        amount: { type: 'integer' },
        receive: { type: 'integer' },
        package_id: { type: 'integer' },
      },
    },
    until: {
      description: 'With MAINTENANCE: when it ends; null when that is not known.',
      type: ['string', 'null'],
    },
    present: { description: 'With CONFLICT of an operator’s change: the state the caller has not seen yet.' },
    requestId: { type: 'string' },
  },
}

/** The OpenAPI document of the calls that are served, made from the contract itself. */
export function openApiDocument(endpoints: readonly Endpoint[]): JsonSchema {
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {})
    path[endpoint.method.toLowerCase()] = operation(endpoint)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Cổng Ninja',
      version: '1',
      description: 'Mọi lời gọi của cổng, sinh từ hợp đồng dùng chung.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }],
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: { Refusal: refusalSchema },
      responses: usualRefusals(),
    },
    paths,
  }
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`)

/** A plain page of the calls, readable without script. */
function docsPage(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((endpoint) => {
    const access = typeof endpoint.access === 'object' ? endpoint.access.permission : endpoint.access
    const cells = [
      `<code>${endpoint.method} /api${escapeHtml(endpoint.path)}</code>`,
      escapeHtml(endpoint.summary),
      String(access),
    ]
    return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>API – Cổng Ninja</title>
<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"></head><body><h1>API</h1>
<p>Machine-readable: <a href="/api/openapi.json">openapi.json</a></p>
<table><thead><tr><th>Call</th><th>What it does</th><th>Who may</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>
</body></html>`
}

const OWN_CALLS = [
  endpoint('GET', '/openapi.json', 'open', { summary: 'This document.', file: 'application/json' }),
  endpoint('GET', '/docs', 'open', { summary: 'The calls as a page.', file: 'text/html' }),
]

/** `GET /api/openapi.json` and `GET /api/docs`. Register last: `served` is read once, at the first request. */
export function registerOpenApi(app: FastifyInstance, served: readonly Endpoint[]): void {
  let document: string | null = null
  app.get('/api/openapi.json', async (_, reply) => {
    document ??= JSON.stringify(openApiDocument([...served, ...OWN_CALLS]))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/api/docs', async (_, reply) =>
    reply
      .headers(DOCUMENT_HEADERS)
      .header('content-security-policy', pagePolicy())
      .type('text/html; charset=utf-8')
      .send(docsPage([...served, ...OWN_CALLS])),
  )
}
