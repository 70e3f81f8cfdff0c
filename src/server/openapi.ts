import type { FastifyInstance } from 'fastify'
import * as z from 'zod/mini'
import type { Endpoint } from '#contract/endpoint.ts'
import { errorCatalogue, type ErrorCode } from '#contract/errors.ts'
import { jsonParameters } from '#contract/operator/list.ts'
import { pagePolicy } from './platform/pages/csp.ts'

type JsonSchema = Record<string, unknown>

const schemaOf = (schema: z.ZodMiniType): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  }) as JsonSchema
  return rest
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
      ...contentOf(shape[name] as z.ZodMiniType, property),
    }))
  }
  const key: JsonSchema = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
    description: 'The caller’s own key: the same key and body has one effect and one answer.',
  }
  return [
    ...of(endpoint.params, 'path'),
    ...of(endpoint.query, 'query'),
    ...(endpoint.isIdempotent ? [key] : []),
  ]
}

/** What a parameter holds; of one whose text is JSON, what is inside it. */
function contentOf(parameter: z.ZodMiniType, property: JsonSchema): JsonSchema {
  const json = jsonParameters.get(parameter)
  if (json === undefined) return { schema: property }
  return { content: { 'application/json': { schema: schemaOf(json.schema as z.ZodMiniType) } } }
}

/** The refusals of a call by status; the codes of each stand in its description. */
function refusals(endpoint: Endpoint): Record<string, JsonSchema> {
  const codes = new Set<ErrorCode>(endpoint.errors ?? [])
  if (endpoint.body || endpoint.query) codes.add('VALIDATION')
  if (endpoint.access !== 'open') codes.add('UNAUTHENTICATED')
  if (endpoint.access === 'operator' || typeof endpoint.access === 'object') codes.add('FORBIDDEN')
  const byStatus: Record<string, JsonSchema> = {}
  for (const code of codes) {
    const status = String(errorCatalogue[code].status)
    const before = byStatus[status]?.description
    byStatus[status] = {
      description: before ? `${String(before)}, ${code}` : code,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    }
  }
  return byStatus
}

function bodyContent({ form }: Endpoint, schema: JsonSchema): JsonSchema {
  if (!form) return { 'application/json': { schema } }
  const file = { type: 'string', format: 'binary', description: `At most ${form.fileBytesMax} bytes.` }
  const properties = { ...(schema.properties as JsonSchema), [form.file]: file }
  return { 'multipart/form-data': { schema: { ...schema, properties } } }
}

function operation(endpoint: Endpoint): JsonSchema {
  const { file } = endpoint
  const status = String(endpoint.answer || file ? (endpoint.status ?? 200) : 204)
  const content = file
    ? { content: { [file]: { schema: { type: 'string', format: 'binary' } } } }
    : endpoint.answer && { content: { 'application/json': { schema: schemaOf(endpoint.answer) } } }
  const body = endpoint.body && { required: true, content: bodyContent(endpoint, schemaOf(endpoint.body)) }
  return {
    summary: endpoint.summary,
    parameters: parameters(endpoint),
    ...(body ? { requestBody: body } : {}),
    ...(endpoint.access === 'open' ? {} : { security: [{ session: [] }] }),
    ...(typeof endpoint.access === 'object' ? { 'x-permission': endpoint.access.permission } : {}),
    responses: {
      [status]: { description: 'Success', ...content },
      ...(endpoint.mayWait ? { 202: { description: 'Waits for a second person', ...content } } : {}),
      ...refusals(endpoint),
    },
  }
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
    },
    servers: [{ url: '/api' }],
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'message', 'requestId'],
          properties: {
            code: { type: 'string', enum: Object.keys(errorCatalogue) },
            message: { type: 'string' },
            report: { type: 'boolean' },
            notify: { type: 'boolean' },
            errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
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
            requestId: { type: 'string' },
          },
        },
      },
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

/** `GET /api/openapi.json` and `GET /api/docs`. Register last: `endpoints` is read once, at the first request. */
export function registerOpenApi(app: FastifyInstance, endpoints: readonly Endpoint[]): void {
  let document: string | null = null
  app.get('/api/openapi.json', async (_, reply) => {
    document ??= JSON.stringify(openApiDocument(endpoints))
    return reply.type('application/json; charset=utf-8').send(document)
  })
  app.get('/api/docs', async (_, reply) =>
    reply
      .header('content-security-policy', pagePolicy())
      .type('text/html; charset=utf-8')
      .send(docsPage(endpoints)),
  )
}
