import { signGameCall } from '#contract/game/signature.ts'
import { openOutbound, OutboundFailure, type OutboundAnswer } from '#server/platform/http/outbound.ts'
import type { Log } from '#server/platform/log/log.ts'
import type * as z from 'zod/mini'
import {
  accountKnowledgeSchema,
  accountStoredSchema,
  cancelSchema,
  characterSchema,
  collectionSchema,
  descriptionSchema,
  knowledgeSchema,
  noticeStoredSchema,
  rankingSchema,
  refundSchema,
  rowsIn,
} from './game-answers.rules.ts'
import {
  outcomeOfAnswer,
  type DeliverOutcome,
  type GameBridge,
  type GameCharge,
  type GameDelivery,
} from './game-bridge.rules.ts'

export type HttpGame = {
  url: string
  secret: string
  /** Shorter in tests that wait for a game that hangs. */
  callTimeoutMs?: number
}

const CONNECT_TIMEOUT_MS = 5_000
/** No call of the game takes longer. */
export const CALL_TIMEOUT_MS = 10_000
const CHARACTERS_MAX = 100
const RANKED_MAX = 1_000

type GameRequest = { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string }

/** A real game server behind the published contract. */
export function openHttpGame(http: HttpGame, log?: Log): GameBridge {
  const calls = openCalls(http, log)
  const { send, read, readRows } = calls
  const optional = optionalCalls(calls)
  return {
    async listCharacters(serverId, account) {
      const query = new URLSearchParams({ server_id: serverId, account })
      const list = { name: 'characters', schema: characterSchema, most: CHARACTERS_MAX, idOf }
      const rows = await readRows(list, `/v1/characters?${query}`)
      return rows.map(({ class_id, ...row }) => ({ ...row, classId: class_id }))
    },
    deliver: (delivery) => deliver(send, delivery),
    async deliveryStatus(id) {
      return (await read(knowledgeSchema, { method: 'GET', path: `/v1/deliveries/${id}` })).status
    },
    async cancel(id) {
      return (await read(cancelSchema, { method: 'POST', path: `/v1/deliveries/${id}/cancel` })).status
    },
    async charge(charge) {
      const outcome = await sendCharge(send, charge)
      const isMissing = outcome.kind === 'unknown' && outcome.cause === 'HTTP 404'
      // A game without charges will not take this one either.
      return isMissing && (await hasNoCharges()) ? { kind: 'refused', reason: 'not-supported' } : outcome
    },
    async refundCharge(id) {
      const answer = await send({ method: 'POST', path: `/v1/charges/${id}/refund` })
      if (answer.status === 404 && (await hasNoCharges())) return 'not-supported'
      return refundSchema.parse(jsonOf(answer)).status
    },
    async rankings(board, { serverId, limit, offset = 0 }) {
      const query = new URLSearchParams({ server_id: serverId, limit: String(limit) })
      if (offset > 0) query.set('offset', String(offset))
      const list = { name: 'rankings', schema: rankingSchema, most: RANKED_MAX }
      const rows = await readRows(list, `/v1/rankings/${encodeURIComponent(board)}?${query}`)
      return rows.map(({ class_id, ...row }) => ({ ...row, classId: class_id }))
    },
    async collection(id) {
      const answer = await read(collectionSchema, { method: 'GET', path: `/v1/deliveries/${id}` })
      const { collected_at: collectedAt, waiting } = answer
      if (collectedAt === undefined || waiting === undefined) return null
      return { collectedAt: momentOf(collectedAt), waiting }
    },
    ...optional,
  }

  /** By the game's own word: a 404 of whatever stands before it may hide a fee that was taken. */
  async function hasNoCharges(): Promise<boolean> {
    try {
      const described = await optional.describeGame({ accountsUntil: null })
      return described !== null && described.charges !== true
    } catch {
      return false // no answer, so nothing is known
    }
  }
}

type OptionalCalls = Required<
  Pick<GameBridge, 'describeGame' | 'putAccount' | 'isAccountKnown' | 'showNotice'>
>

/** What a game need not do. */
function optionalCalls({ send, read }: Calls): OptionalCalls {
  return {
    async describeGame({ accountsUntil }) {
      const query = accountsUntil && new URLSearchParams({ accounts_until: accountsUntil.toISOString() })
      const path = `/v1/game${query === null ? '' : `?${query}`}`
      const answer = await send({ method: 'GET', path })
      if (answer.status === 404) return null
      const { collector_seen_at: seenAt, ...description } = descriptionSchema.parse(jsonOf(answer))
      return { ...description, collectorSeenAt: momentOf(seenAt) }
    },
    async putAccount({ account, isActivated, bannedUntil, passwordChangedAt, version }) {
      const body = JSON.stringify({
        account,
        activated: isActivated,
        banned_until: bannedUntil,
        password_changed_at: passwordChangedAt,
        version,
      })
      return (await read(accountStoredSchema, { method: 'PUT', path: pathOf(account), body })).status
    },
    async showNotice({ id, account, text, expiresAt }) {
      const body = JSON.stringify({ account, text, expires_at: expiresAt.toISOString() })
      await read(noticeStoredSchema, { method: 'PUT', path: `/v1/notices/${id}`, body })
    },
    async isAccountKnown(account) {
      const { status } = await read(accountKnowledgeSchema, { method: 'GET', path: pathOf(account) })
      return status === 'not-kept' ? null : status === 'known'
    },
  }
}

type Calls = ReturnType<typeof openCalls>

/** Signed calls of the game, each with its time-outs and a bounded answer. */
function openCalls({ url, secret, callTimeoutMs = CALL_TIMEOUT_MS }: HttpGame, log: Log | undefined) {
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
    return schema.parse(jsonOf(await send(request)))
  }

  /** What cannot be read is left out, and one line of the log says so. */
  async function readRows<Schema extends z.ZodMiniType>(
    list: Parameters<typeof rowsIn<Schema>>[0] & { name: string },
    path: string,
  ): Promise<z.output<Schema>[]> {
    const { rows, leftOut, why } = rowsIn(list, jsonOf(await send({ method: 'GET', path })))
    if (leftOut > 0) log?.warn({ list: list.name, leftOut, why }, 'rows of the game were left out')
    return rows
  }

  return { send, read, readRows }
}

/** What an answer with 200 says. Throws for anything that is no JSON: a proxy's page, for example. */
function jsonOf(answer: OutboundAnswer): unknown {
  const { status, text, contentType, contentEncoding = 'plain' } = answer
  if (status !== 200) throw new Error(`the game answered HTTP ${status}`)
  if (!isCalledJson(answer))
    throw new Error(`the game answered ${contentEncoding} ${contentType} instead of JSON`)
  return JSON.parse(text)
}

/** A server that does not say what it sends is taken at the word of its text. */
const isCalledJson = ({ contentType, contentEncoding }: OutboundAnswer) =>
  (contentType === undefined || /^application\/json *(;|$)/i.test(contentType)) &&
  (contentEncoding === undefined || /^identity$/i.test(contentEncoding))

const idOf = ({ id }: { id: string }) => id

const pathOf = (account: string) => `/v1/accounts/${encodeURIComponent(account)}`

const momentOf = (text: string | null) => (text === null ? null : new Date(text))

async function deliver(
  send: (request: GameRequest) => Promise<OutboundAnswer>,
  delivery: GameDelivery,
): Promise<DeliverOutcome> {
  const { id, serverId, account, characterId, goods } = delivery
  const body = JSON.stringify({ server_id: serverId, account, character_id: characterId, goods })
  return attempt(send, { method: 'PUT', path: `/v1/deliveries/${id}`, body })
}

async function sendCharge(
  send: (request: GameRequest) => Promise<OutboundAnswer>,
  { id, serverId, account, characterId, luong }: GameCharge,
): Promise<DeliverOutcome> {
  const body = JSON.stringify({ server_id: serverId, account, character_id: characterId, luong })
  return attempt(send, { method: 'PUT', path: `/v1/charges/${id}`, body })
}

async function attempt(
  send: (request: GameRequest) => Promise<OutboundAnswer>,
  request: GameRequest,
): Promise<DeliverOutcome> {
  try {
    const answer = await send(request)
    return outcomeOfAnswer(answer.status, objectIn(answer))
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    return { kind: error.wasConnected ? 'unknown' : 'not-received', cause: error.message }
  }
}

/** Null for what is no JSON object. */
function objectIn(answer: OutboundAnswer): Record<string, unknown> | null {
  if (!isCalledJson(answer)) return null
  try {
    const value: unknown = JSON.parse(answer.text)
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null // not JSON
  }
}
