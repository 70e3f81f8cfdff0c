import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as z from 'zod/mini'
import { WAITING_REASONS } from '#contract/deliveries.ts'
import type { Collector } from './collecting.ts'
import { ok, wrong, type Answer } from './reading.ts'
import { FAULTS, faultsNamed, type Faults, type FaultSettings } from './faults.ts'

const BODY_BYTES_MAX = 4_096

const faultsSchema = z.strictObject({
  /** As `--faults` names them. */
  kinds: z.optional(
    z.array(z.string()).check(
      z.maxLength(FAULTS.length),
      z.refine((words) => faultsNamed(words) !== undefined, `out of ${FAULTS.join(', ')}`),
    ),
  ),
  rate: z.optional(z.number().check(z.gte(0), z.lte(1))),
  seed: z.optional(z.int().check(z.gte(0))),
  slowMs: z.optional(z.number().check(z.gte(0), z.lte(60_000))),
})
const nextSchema = z.strictObject({ fault: z.enum(FAULTS), times: z.int().check(z.gte(1), z.lte(1_000)) })

const collectingSchema = z.partial(
  z.strictObject({
    isOn: z.boolean(),
    offline: z.array(z.string().check(z.maxLength(64))).check(z.maxLength(1_000)),
    bagMax: z.int().check(z.gte(0)),
    reason: z.nullable(z.enum(WAITING_REASONS)),
  }),
)

type Controlled = { faults: Faults; collector: Collector }

export type ControlServer = { url: string; close(): Promise<void> }

/**
 * Changes the faults while the game runs: `GET /faults`, `PUT /faults` with what is to be otherwise, `POST /faults/next`
 * for the next deliveries; and how it collects: `GET /collecting`, `PUT /collecting`. Off by default, and on this machine
 * only; a web page cannot use it either.
 */
export async function openControlServer(game: Controlled, port: number): Promise<ControlServer> {
  const server = createServer({ requestTimeout: 5_000 }, (request, response) => {
    const send = ({ status, body }: Answer) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    answer(game, request).then(send, () => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer({ faults, collector }: Controlled, request: IncomingMessage): Promise<Answer> {
  // Refuses other host names (DNS rebinding) and forms of web pages.
  if (!/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(request.headers.host ?? ''))
    return wrong(403, 'this-machine-only')
  const call = `${request.method} ${request.url}`
  if (call === 'GET /faults') return ok({ ...faults.settings, met: faults.met })
  if (call === 'GET /collecting') return ok(collector.settings)
  if (request.headers['content-type'] !== 'application/json') return wrong(415, 'json-only')
  const body = await readJson(request)
  if (call === 'PUT /faults') {
    const read = z.safeParse(faultsSchema, body)
    if (!read.success) return badRequest(read.error)
    const { kinds, ...numbers } = read.data
    const changed: Partial<FaultSettings> = { ...numbers, ...(kinds && { kinds: faultsNamed(kinds) ?? [] }) }
    faults.change({ ...faults.settings, ...changed })
    return ok(faults.settings)
  }
  if (call === 'POST /faults/next') {
    const read = z.safeParse(nextSchema, body)
    if (!read.success) return badRequest(read.error)
    faults.failNext(read.data.fault, read.data.times)
    return ok(read.data)
  }
  if (call === 'PUT /collecting') {
    const read = z.safeParse(collectingSchema, body)
    if (!read.success) return badRequest(read.error)
    collector.change({ ...collector.settings, ...given(read.data) })
    return ok(collector.settings)
  }
  return wrong(404, 'no-such-call')
}

/** Without what was left out. */
const given = <Read extends object>(read: Read) =>
  Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as {
    [Key in keyof Read]: Exclude<Read[Key], undefined>
  }

/** Names the field, also one that there is none of. */
function badRequest({ issues: [issue] }: z.core.$ZodError): Answer {
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : []
  return wrong(400, 'bad-request', [...(issue?.path ?? []), ...unknown].join('.') || 'body')
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (text.length <= BODY_BYTES_MAX) text += chunk.toString('utf8')
  }
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined // no schema fits it
  }
}
