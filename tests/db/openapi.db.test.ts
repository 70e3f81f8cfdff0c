import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '#tests/repo/checkout-copy.ts'
import { ACCESS_TABLE } from '#tests/security/access-table.ts'
import { statusOfRequest } from '#tests/security/send-request.ts'
import { openWorld, type World } from '#tests/security/cast.ts'
import { servedRoutes } from '#tests/security/served-routes.ts'
import { FormFields } from '#tests/support/uploads.ts'
import { stepUp, type TestOperator } from '#tests/support/operators.ts'
import { everyNth, hasAllCases } from '#tests/support/test-run.ts'

/*
 * A client that a stranger would generate from openapi.json calls every operation with right and with wrong input. Each
 * status, media type and body that comes back has to be in the document.
 */

type Content = Record<string, { schema: object }>
type Response = { $ref?: string; content?: Content }
type Operation = {
  operationId: string
  parameters: { in: string }[]
  security: { session?: [] }[]
  requestBody?: object
  responses: Record<string, Response>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response>; schemas: object }
}
type Input = { path?: object; query?: object; body?: unknown; headers?: object }
type Call = (input: Input & { client: unknown }) => Promise<unknown>
type Client = { setConfig(config: object): void }

let world: World
let folder: string
let document: Document
let sdk: Map<string, Call>
let client: Client

beforeAll(async () => {
  world = await openWorld()
  await stepUp(world.portal, world.cast.owner as TestOperator)
  document = (await world.portal.call('GET', '/api/openapi.json')).body as Document
  ajv.addSchema(document, 'document')
  await mkdir(join(root, '.cache'), { recursive: true })
  folder = await mkdtemp(join(root, '.cache', 'openapi-client-'))
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document))
  await createClient({
    input: join(folder, 'openapi.json'),
    output: { path: join(folder, 'client'), importFileExtension: '.ts' },
    logs: { file: false, level: 'silent' },
  })
  const generated = (await import(join(folder, 'client/sdk.gen.ts'))) as Record<string, Call>
  // The generator has rules of its own for capitals behind digits.
  sdk = new Map(Object.entries(generated).map(([name, made]) => [name.toLowerCase(), made]))
  client = ((await import(join(folder, 'client/client.gen.ts'))) as { client: Client }).client
}, 120_000)
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await world.portal.close()
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

describe('a client generated from openapi.json', () => {
  test.runIf(hasAllCases)(
    'compiles under strict rules, and its types refuse wrong input',
    async () => {
      await writeFile(
        join(folder, 'program.ts'),
        `import { getRechargeOrdersByCode, postAuthLogin, postRechargeOrders } from './client'
export async function recharge(): Promise<string> {
  const login = await postAuthLogin({ body: { username: 'tester', password: 'mat-khau' } })
  const auth = login.data?.access_token ?? ''
  const made = await postRechargeOrders({ auth, body: { channel: 2, amount: 50_000 } })
  if (made.error) return made.error.message
  const order = await getRechargeOrdersByCode({ auth, path: { code: made.data.code } })
  // @ts-expect-error an amount is a number
  await postRechargeOrders({ auth, body: { channel: 2, amount: '50000' } })
  // @ts-expect-error an order has no such field
  void order.data?.nothing
  return order.data?.status ?? ''
}
`,
      )
      const flags =
        '--noEmit --allowImportingTsExtensions --strict --skipLibCheck --target esnext --module preserve --lib esnext,dom,dom.iterable --types node --ignoreConfig'
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      const compiled = promisify(execFile)(process.execPath, [tsc, ...flags.split(' '), 'program.ts'], {
        cwd: folder,
      })
      expect(await compiled.catch((error: { stdout: string }) => error)).toEqual({ stdout: '', stderr: '' })
    },
    120_000,
  )

  test('finds every call that is served', () => {
    const served = servedRoutes(world.portal).filter((route) => / \/api\//.test(route))
    const described = operations().map(
      ({ method, path }) => `${method} /api${path.replace(/\{(\w+)\}/g, ':$1')}`,
    )
    expect(described.sort()).toEqual(served.sort())
  })

  const succeeded = new Set<string>()
  let asked = 0

  // Those that end their session come last.
  test.each(['GET', 'PUT', 'DELETE', 'POST', 'last'])(
    'gets no answer beside the document: %s',
    async (kind) => {
      const found: string[] = []
      const isOfKind = ({ path, method }: { path: string; method: string }) =>
        kind === 'last' ? endsSession(path, method) : method === kind && !endsSession(path, method)
      for (const { path, method, operation } of operations().filter(isOfKind)) {
        if (isStream(operation)) {
          for (const id of ['1', 'x']) {
            const address = `/api${path.replace(/\{\w+\}/, id)}`
            const status = await statusOfRequest(world.portal, {
              method,
              path: address,
              token: tokenFor(path, operation),
            })
            if (!operation.responses[status]) found.push(`${operation.operationId}: ${status}`)
          }
          continue
        }
        asked += 1
        const [right = {}, ...wrong] = await inputsOf(method, path, operation)
        // One of the wrong ones each, another one of the next operation.
        for (const input of [right, ...everyNth(wrong, wrong.length, asked)]) {
          const received = await call(operation, { token: tokenFor(path, operation), input })
          if (received.status < 300) succeeded.add(operation.operationId)
          found.push(...undescribed(operation, received))
        }
        await world.forgetPace()
        const isAmongFew = hasAllCases || asked % 4 === 0
        if (operation.requestBody && isAmongFew)
          found.push(...undescribed(operation, await sendBrokenJson(method, path, operation)))
        if (operation.security.length > 0 && isAmongFew) {
          found.push(...undescribed(operation, await call(operation, { token: undefined, input: right })))
        }
      }
      expect([...new Set(found)]).toEqual([])
    },
    120_000,
  )

  test('most operations have succeeded by then', () => {
    // The others need what only a phone, a mail, a provider or a further step can give.
    expect(succeeded.size).toBeGreaterThan(operations().length * 0.6)
    expect(Object.keys(RIGHT_INPUT).filter((id) => !succeeded.has(id))).toEqual([])
  })
})

const endsSession = (path: string, method: string) =>
  path === '/auth/logout' || (path === '/operator/session' && method === 'DELETE')
const isStream = ({ responses }: Operation) =>
  Object.keys(responses['200']?.content ?? {})[0] === 'text/event-stream'

const tokenFor = (path: string, { security }: Operation): string | undefined =>
  security.length === 0 ? undefined : (path.startsWith('/operator/') ? world.owner : world.player).token

const WRONG_QUERY = {
  filter: '{',
  sort: 'x',
  range: '[',
  page: '-1',
  limit: 'x',
  filter_type: 'x',
  from: 'x',
  q: '',
}

/** The input that is right by the table of access, then the same with each part wrong. */
async function inputsOf(method: string, path: string, operation: Operation): Promise<Input[]> {
  const row = ACCESS_TABLE[`${method} /api${path.replace(/\{(\w+)\}/g, ':$1')}`]
  const { path: values = {}, body: given } = (await row?.probe?.(world)) ?? {}
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const inPath = { ...Object.fromEntries(names.map((name) => [name, '1'])), ...values }
  const fields = given instanceof FormFields ? given.fields : given
  const body = operation.requestBody ? (fields ?? {}) : undefined
  const right = { path: inPath, ...(body === undefined ? {} : { body }) }
  const wrongFields = Object.fromEntries(
    Object.keys((body as object | undefined) ?? {}).map((name) => [name, [{}]]),
  )
  const { operationId, parameters } = operation
  const takes = (where: string) => parameters.some((one) => one.in === where)
  return [
    RIGHT_INPUT[operationId]?.() ?? right,
    ...(body === undefined
      ? []
      : [
          { ...right, body: {} },
          { ...right, body: wrongFields },
        ]),
    ...(takes('path') ? [{ ...right, path: Object.fromEntries(names.map((name) => [name, '%00x'])) }] : []),
    ...(takes('query') ? [{ ...right, query: WRONG_QUERY }] : []),
    ...(takes('header') ? [{ ...right, headers: { 'Idempotency-Key': 'k'.repeat(300) } }] : []),
  ]
}

/** Where the table of access shows a refusal only. */
const RIGHT_INPUT: Record<string, () => Input> = {
  postAuthLogin: () => ({ body: { username: world.other.username, password: world.other.password } }),
  postAuthVerify: () => ({ body: { access_token: world.other.token } }),
  postAuthRegister: () => ({
    body: {
      username: 'nguoimoi',
      name: 'Người mới',
      password: 'mat-khau-12',
      phone: '0912 345 678',
      server_id: '1',
    },
  }),
  getOperatorSearch: () => ({ query: { q: world.player.username } }),
  getOperatorBankTransfersSuggestedOrders: () => ({ query: { ids: '1,2' } }),
}

type Received = { status: number; type: string; text: string }

/** Calls an operation by the client's own function; answers what came over the wire. */
async function call(
  { operationId }: Operation,
  { token, input }: { token: string | undefined; input: Input },
) {
  let received: Received | undefined
  client.setConfig({
    baseUrl: 'http://portal.test/api',
    auth: token,
    fetch: async (request: Request) => {
      received = await sent(request)
      return new Response(received.text === '' ? null : received.text, {
        status: received.status,
        headers: { 'content-type': received.type },
      })
    },
  })
  const result = await sdk.get(operationId.toLowerCase())?.({ ...input, client })
  expect([operationId, received ?? result]).toEqual([operationId, received])
  return received as Received
}

let calls = 0

async function sent(request: Request): Promise<Received> {
  const { pathname, search } = new URL(request.url)
  const payload = Buffer.from(await request.arrayBuffer())
  const answer = await world.portal.app.inject({
    method: request.method,
    url: pathname + search,
    // From another address each time, so that limits by address do not interfere.
    remoteAddress: `10.${(calls >> 16) & 255}.${(calls >> 8) & 255}.${calls++ & 255}`,
    headers: Object.fromEntries(request.headers),
    ...(payload.length > 0 && { payload }),
  } as InjectOptions)
  return {
    status: answer.statusCode,
    type: String(answer.headers['content-type'] ?? ''),
    text: answer.body,
  }
}

const sendBrokenJson = (method: string, path: string, operation: Operation): Promise<Received> => {
  const token = tokenFor(path, operation)
  return sent(
    new Request(`http://portal.test/api${path.replaceAll(/\{\w+\}/g, '1')}`, {
      method,
      body: '{"a":',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    }),
  )
}

const validators = new Map<object, ValidateFunction>()
/** One for the whole document: what schemas refer to is compiled once. */
const ajv = new Ajv2020({ strict: false, validateFormats: false })

/** The JSON pointer of a part of the document. */
function placeOf(whole: object, part: object, place: string): string | null {
  if (whole === part) return place
  for (const [key, value] of Object.entries(whole) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null) continue
    const step = encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))
    const found = placeOf(value, part, `${place}/${step}`)
    if (found !== null) return found
  }
  return null
}

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const made = ajv.compile({ $ref: `document${placeOf(document, schema, '#')}` })
  validators.set(schema, made)
  return made
}

/** What of an answer the document does not say. */
function undescribed({ operationId, responses }: Operation, { status, type, text }: Received): string[] {
  const named = responses[status]
  if (!named) return [`${operationId}: status ${status}: ${text.slice(0, 80)}`]
  const response = named.$ref ? document.components.responses[named.$ref.split('/').at(-1) ?? ''] : named
  if (!response?.content) return text === '' ? [] : [`${operationId}: ${status} has a body`]
  const [mediaType = ''] = type.split(';')
  const content = response.content[mediaType]
  if (!content) return [`${operationId}: ${status} as ${mediaType}`]
  if (mediaType !== 'application/json' || 'format' in content.schema) return []
  const validate = validatorOf(content.schema)
  if (validate(JSON.parse(text))) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${operationId}: ${status} at ${instancePath}: ${message}`,
  )
}
