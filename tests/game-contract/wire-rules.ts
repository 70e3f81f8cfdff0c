import { randomUUID } from 'node:crypto'
import { signGameCall } from '#contract/game/signature.ts'
import { aBoardOf, expectAnswer, type Rule, type TestedGame } from './rule.ts'

export type WireSubject = TestedGame & { url: string; secret: string }

type RequestInput = { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string }
type Signing = { secret?: string; secondsOff?: number; header?: string | null; signed?: RequestInput }
type Answer = { status: number; body: any; type: string }

const TIMEOUT_MS = 10_000

/** A call as the portal makes it, or as it never would. */
export async function send(subject: WireSubject, call: RequestInput, signing: Signing = {}): Promise<Answer> {
  const base = new URL(subject.url)
  const prefix = base.pathname.replace(/\/+$/, '')
  const seconds = Math.floor(Date.now() / 1000) + (signing.secondsOff ?? 0)
  const signed = signing.signed ?? call
  const header =
    signing.header === undefined
      ? signGameCall(signing.secret ?? subject.secret, seconds, { ...signed, path: prefix + signed.path })
      : signing.header
  const answer = await fetch(base.origin + prefix + call.path, {
    method: call.method,
    headers: {
      ...(header === null ? {} : { 'x-portal-signature': header }),
      ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: call.body }),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const type = answer.headers.get('content-type') ?? 'none'
  return { status: answer.status, body: await answer.json().catch(() => null), type }
}

function putFor(
  subject: WireSubject,
  changed: Record<string, unknown> = {},
): RequestInput & { body: string; id: string } {
  const { serverId: server_id, account, characterId: character_id } = subject
  const goods = [{ kind: 'luong', quantity: 1 }]
  const id = randomUUID()
  const body = JSON.stringify({ server_id, account, character_id, goods, ...changed })
  return { method: 'PUT', path: `/v1/deliveries/${id}`, body, id }
}

function expectJson(what: string, type: string): void {
  if (/^application\/json *(;|$)/i.test(type)) return
  throw new Error(`${what}: its content type is ${type} instead of application/json`)
}

export function expectClientError(what: string, { status }: { status: number }): void {
  if (status < 400 || status > 499 || status === 401)
    throw new Error(`${what}: HTTP ${status} instead of 400`)
}

async function expectNotBelieved(subject: WireSubject, what: string, signing: Signing): Promise<void> {
  const put = putFor(subject)
  const { status } = await send(subject, put, signing)
  if (status !== 401) throw new Error(`${what}: HTTP ${status} instead of 401`)
  expectAnswer(`${what}: the status`, await subject.game.deliveryStatus(put.id), 'unknown')
}

/** Rules that only raw HTTP calls can check: signatures, exact answers, malformed calls. */
export const WIRE_RULES: Rule<WireSubject>[] = [
  {
    name: 'believes nobody who does not sign, or signs with another secret',
    async check(subject) {
      await expectNotBelieved(subject, 'no signature', { header: null })
      await expectNotBelieved(subject, 'an empty signature', { header: 't=0,v1=' })
      await expectNotBelieved(subject, 'another secret', { secret: 'the-wrong-secret-entirely' })
      const { path } = putFor(subject)
      for (const call of [
        { method: 'POST', path: `${path}/cancel` },
        { method: 'GET', path },
      ] satisfies RequestInput[]) {
        const { status } = await send(subject, call, { header: null })
        if (status !== 401) throw new Error(`an unsigned ${call.method}: HTTP ${status} instead of 401`)
      }
    },
  },
  {
    name: 'believes a signature for five minutes only',
    async check(subject) {
      await expectNotBelieved(subject, 'ten minutes ago', { secondsOff: -600 })
      await expectNotBelieved(subject, 'in ten minutes', { secondsOff: 600 })
      const { status } = await send(subject, putFor(subject), { secondsOff: -240 })
      expectAnswer('four minutes ago', status, 200)
    },
  },
  {
    name: 'believes a signature for the very call it was made for',
    async check(subject) {
      const other = putFor(subject)
      await expectNotBelieved(subject, 'of another delivery', { signed: other })
      const put = putFor(subject)
      const signed = { ...put, body: put.body.replace('"quantity":1', '"quantity":9') }
      expectAnswer('of another body', (await send(subject, put, { signed })).status, 401)
      const list: RequestInput = {
        method: 'GET',
        path: `/v1/characters?server_id=1&account=${subject.account}`,
      }
      const query = { ...list, path: list.path.replace('server_id=1', 'server_id=2') }
      expectAnswer('of another query', (await send(subject, list, { signed: query })).status, 401)
    },
  },
  {
    name: 'answers in the contract’s very words',
    async check(subject) {
      const put = putFor(subject)
      const { type, ...first } = await send(subject, put)
      expectAnswer('a delivery', first, { status: 200, body: { status: 'applied' } })
      expectJson('a delivery', type)
      const other = { ...put, body: putFor(subject, { goods: [{ kind: 'yen', quantity: 2 }] }).body }
      expectAnswer('another body', (await send(subject, other)).status, 409)
      const refused = await send(subject, putFor(subject, { character_id: '999999999' }))
      expectAnswer('a refusal', [refused.status, refused.body?.status], [422, 'refused'])
      expectJson('a refusal', refused.type)
      const reason: unknown = refused.body?.reason
      if (typeof reason !== 'string' || reason === '') throw new Error('a refusal gives its reason as a text')
    },
  },
  {
    name: 'answers what is not as it should be with 4xx, and does nothing',
    async check(subject) {
      const bodies = [
        '{',
        '[]',
        '"x"',
        putFor(subject, { goods: 'x' }).body,
        putFor(subject, { account: 7 }).body,
      ]
      for (const body of bodies) {
        const put = putFor(subject)
        expectClientError(body.slice(0, 60), await send(subject, { ...put, body }))
        expectAnswer('its status', await subject.game.deliveryStatus(put.id), 'unknown')
      }
    },
  },
  {
    name: 'bounds a ranking, whatever limit is asked for',
    async check(subject) {
      const board = await aBoardOf(subject)
      for (const limit of ['1000', '1000000', '-1', 'x']) {
        const path = `/v1/rankings/${board}?server_id=${encodeURIComponent(subject.serverId)}&limit=${limit}`
        const { status, body } = await send(subject, { method: 'GET', path })
        if (status === 200 && Array.isArray(body) && body.length <= 1_000) continue
        expectClientError(`limit=${limit}`, { status })
      }
    },
  },
]
