import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import { anAddress } from '#tests/support/addresses.ts'
import type { PortalClient } from '../portal-client.ts'
import type { Random } from '../random.ts'
import type { Buyer, Setup } from './setup.ts'

/** A purchase that was confirmed to its player. Recorded outside the database. */
export type Bought = {
  id: string
  kind: 'exchange' | 'gift'
  player: string
  characterId: string
  amount: number
}

export type Log = {
  bought: Bought[]
  /** Answers to one key that named different deliveries. */
  contradictions: number
  operatorActs: Record<string, number>
}

export const emptyLog = (): Log => ({ bought: [], contradictions: 0, operatorActs: {} })

const EXCHANGED = [10_000, 20_000, 50_000]
/** Percentages of purchases that are sent twice at once, and that are the gift. */
const TWICE = 15
const GIFTS = 10
const REFUSALS_EXPECTED = new Set(['GIFT_ALREADY_TAKEN'])

/** One purchase, repeated with its key until the answer is definite. False when it was rightly refused. */
export async function buy(client: PortalClient, buyer: Buyer, random: Random, log: Log): Promise<boolean> {
  const isGift = random.below(100) < GIFTS
  const characterId = random.pick(buyer.characterIds)
  const amount = isGift ? random.pick(GIFT_PACKAGES).id : random.pick(EXCHANGED)
  const request = {
    method: 'POST' as const,
    path: isGift ? '/api/user/buy-package' : '/api/exchange/store',
    token: buyer.token,
    key: randomUUID(),
    body: { character_id: characterId, ...(isGift ? { package_id: amount } : { amount }) },
  }
  const times = random.below(100) < TWICE ? 2 : 1
  const answers = await Promise.all(
    Array.from({ length: times }, () => client.untilDefinite({ ...request, from: anAddress() })),
  )
  const [first] = answers
  if (first?.status !== 200) {
    if (REFUSALS_EXPECTED.has(first?.body?.code as string)) return false
    throw new Error(`an unexpected refusal: ${JSON.stringify(first?.body)}`)
  }
  const id = first.body.delivery.id as string
  if (answers.some((answer) => answer.body?.delivery?.id !== id)) log.contradictions++
  log.bought.push({ id, kind: isGift ? 'gift' : 'exchange', player: buyer.username, characterId, amount })
  return true
}

type Shopping = {
  setup: Setup
  random: Random
  log: Log
  purchases: number
  pauseMs: number
  isFailing: () => boolean
}

/** All buyers shop side by side until so many purchases are made together. */
export async function shop({ setup, random, log, purchases, pauseMs, isFailing }: Shopping): Promise<void> {
  let left = purchases
  await Promise.all(
    setup.buyers.map(async (buyer, index) => {
      const client = setup.clients[index % setup.clients.length] as PortalClient
      while (left > 0 && !isFailing()) {
        left--
        if (!(await buy(client, buyer, random, log))) left++
        await sleep(random.below(pauseMs))
      }
    }),
  )
}

const REASON = 'Kiểm tra khi máy chủ game hỏng'

/** One operator's act; returns the delivery's state afterwards, or null when it was refused. */
export async function resolve(
  ask: PortalClient['try'],
  token: string,
  { id, what }: { id: string; what: 'retry' | 'refund' | 'settle' },
): Promise<string | null> {
  const answer = await ask({
    method: 'POST',
    path: `/api/operator/deliveries/${id}/${what}`,
    token,
    from: anAddress(),
    body: { reason: REASON, evidence: REASON },
  })
  return answer?.status === 200 ? (answer.body.state as string) : null
}

/** Operators who pick deliveries at random, whatever state they are in, until the shops are closed. */
export async function meddle(
  setup: Setup,
  { random, log, pauseMs, isOver }: { random: Random; log: Log; pauseMs: number; isOver: () => boolean },
): Promise<void> {
  await Promise.all(
    setup.operatorTokens.map(async (token, index) => {
      const client = setup.clients[index % setup.clients.length] as PortalClient
      while (!isOver()) {
        await sleep(random.below(pauseMs))
        // Mostly what was bought just now, which is still on its way.
        const recent = log.bought.slice(-10)
        if (recent.length === 0) continue
        const what = random.pick(['refund', 'refund', 'refund', 'retry', 'settle'] as const)
        const ask: PortalClient['try'] = (request) => client.try(request)
        const state = await resolve(ask, token, { id: random.pick(recent).id, what })
        const act = `${what}: ${state ?? 'refused'}`
        log.operatorActs[act] = (log.operatorActs[act] ?? 0) + 1
      }
    }),
  )
}
