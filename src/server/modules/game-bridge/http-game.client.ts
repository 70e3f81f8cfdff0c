import { createHmac } from 'node:crypto'
import { openOutbound, OutboundFailure, type OutboundAnswer } from '#server/platform/http/outbound.ts'
import * as z from 'zod/mini'
import {
  outcomeOfAnswer,
  type DeliverOutcome,
  type GameBridge,
  type GameDelivery,
} from './game-bridge.rules.ts'

export type HttpGame = {
  url: string
  secret: string
  /** Shorter in tests that wait for a game that hangs. */
  callTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 5_000
const CALL_TIMEOUT_MS = 10_000

const text = z.string().check(z.minLength(1), z.maxLength(64))
const level = z.int().check(z.gte(0), z.lte(100_000))
const charactersSchema = z
  .array(z.object({ id: text, name: text, head: level, class_id: level, level }))
  .check(z.maxLength(100))
const knowledgeSchema = z.object({ status: z.enum(['applied', 'unknown', 'cancelled']) })
const cancelSchema = z.object({ status: z.enum(['applied', 'cancelled']) })
const rankingsSchema = z
  .array(z.object({ name: text, class_id: level, level, value: z.int(), account: text }))
  .check(z.maxLength(1_000))

type GameRequest = { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string }

/** `t=<seconds>,v1=<hex>` over time, method, path with its query, and the body as sent. */
export function signGameCall(
  secret: string,
  seconds: number,
  { method, path, body = '' }: GameRequest,
): string {
  const signature = createHmac('sha256', secret).update(`${seconds}.${method}.${path}.${body}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}

/** A real game server behind the published contract. */
export function openHttpGame({ url, secret, callTimeoutMs = CALL_TIMEOUT_MS }: HttpGame): GameBridge {
  const base = new URL(url)
  const prefix = base.pathname.replace(/\/+$/, '')
  const outbound = openOutbound([base.origin])

  function send(request: GameRequest): Promise<OutboundAnswer> {
    const { method, body } = request
    const path = prefix + request.path
    return outbound({
      url: base.origin + path,
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'x-portal-signature': signGameCall(secret, Math.floor(Date.now() / 1000), { ...request, path }),
      },
      ...(body === undefined ? {} : { body }),
      timeoutMs: callTimeoutMs,
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
    })
  }

  async function read<Schema extends z.ZodMiniType>(
    schema: Schema,
    request: GameRequest,
  ): Promise<z.output<Schema>> {
    const answer = await send(request)
    if (answer.status !== 200) throw new Error(`the game answered HTTP ${answer.status}`)
    return schema.parse(JSON.parse(answer.text))
  }

  return {
    async listCharacters(serverId, account) {
      const query = new URLSearchParams({ server_id: serverId, account })
      const rows = await read(charactersSchema, { method: 'GET', path: `/v1/characters?${query}` })
      return rows.map(({ class_id, ...row }) => ({ ...row, classId: class_id }))
    },
    deliver: (delivery) => deliver(send, delivery),
    async deliveryStatus(id) {
      return (await read(knowledgeSchema, { method: 'GET', path: `/v1/deliveries/${id}` })).status
    },
    async cancel(id) {
      return (await read(cancelSchema, { method: 'POST', path: `/v1/deliveries/${id}/cancel` })).status
    },
    async rankings(board, { serverId, limit }) {
      const query = new URLSearchParams({ server_id: serverId, limit: String(limit) })
      const path = `/v1/rankings/${encodeURIComponent(board)}?${query}`
      const rows = await read(rankingsSchema, { method: 'GET', path })
      return rows.map(({ class_id, ...row }) => ({ ...row, classId: class_id }))
    },
  }
}

async function deliver(
  send: (request: GameRequest) => Promise<OutboundAnswer>,
  delivery: GameDelivery,
): Promise<DeliverOutcome> {
  const { id, serverId, account, characterId, goods } = delivery
  const body = JSON.stringify({ server_id: serverId, account, character_id: characterId, goods })
  try {
    const answer = await send({ method: 'PUT', path: `/v1/deliveries/${id}`, body })
    return outcomeOfAnswer(answer.status, objectIn(answer.text))
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { kind: error.wasConnected ? 'unknown' : 'not-received', cause: error.message }
  }
}

function objectIn(body: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(body)
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : null
  } catch {
    // Not JSON: a proxy's page, for example. The status alone decides then.
    return null
  }
}
