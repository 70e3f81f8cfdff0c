import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { type Chain, isSignedBy, openOwnChain, QUICKNET, roundTime } from '#contract/draw-proof.ts'
import { openOutbound } from '#server/platform/http/outbound.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/values/clock.ts'

/** Where random numbers come from that nobody has before their time. */
export type Beacon = {
  chain: Chain
  /** The chain's signature of a round; null where it cannot be had now. Calls the network: outside any transaction. */
  read(round: number, deps: { log: Log; clock: Clock }): Promise<string | null>
}

/** Relays of the League of Entropy. Any of them is as good: what they deliver is checked. */
const DRAND_HOSTS = [
  'https://api.drand.sh',
  'https://api2.drand.sh',
  'https://api3.drand.sh',
  'https://drand.cloudflare.com',
]

const RELAY_TIMEOUT_MS = 4_000

const roundSchema = z.object({ round: z.number(), signature: z.string().check(z.toLowerCase()) })

/** The signature in what a relay answers for a round; null where it is not the chain's. */
export function signatureIn(text: string, { chain, round }: { chain: Chain; round: number }): string | null {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    // No JSON, no signature: the caller says what was expected.
    return null
  }
  const read = roundSchema.safeParse(answer)
  if (!read.success || read.data.round !== round) return null
  return isSignedBy(chain, round, read.data.signature) ? read.data.signature : null
}

/** The public beacon. All relays are asked at once, and the first right answer counts. */
export function openDrand(hosts: readonly string[] = DRAND_HOSTS): Beacon {
  const send = openOutbound(hosts)
  async function ask(host: string, round: number): Promise<string> {
    const url = `${host}/${QUICKNET.hash}/public/${round}`
    const { status, text } = await send({ url, method: 'GET', timeoutMs: RELAY_TIMEOUT_MS })
    const signature = status === 200 ? signatureIn(text, { chain: QUICKNET, round }) : null
    if (signature === null)
      throw new Error(`${new URL(url).host} answered ${status} without the round's signature`)
    return signature
  }
  return {
    chain: QUICKNET,
    async read(round, { log }) {
      try {
        return await Promise.any(hosts.map((host) => ask(host, round)))
      } catch (error) {
        log.warn({ err: error, round }, 'no relay of the random beacon has answered')
        return null
      }
    },
  }
}

/** When the demo's first round was; any moment before all demos. */
const DEMO_GENESIS = 1_577_836_800

/** The beacon of a demo, which has no network: a key of its own, so that its numbers prove nothing. */
export function openDemoBeacon(secret: string, { period = 1 } = {}): Beacon {
  const key = createHash('sha512').update(secret).digest().subarray(0, 48)
  const { public_key, sign } = openOwnChain(new Uint8Array(key))
  const chain: Chain = {
    name: 'demo',
    hash: createHash('sha256').update(`${public_key} ${DEMO_GENESIS} ${period}`).digest('hex'),
    public_key,
    genesis_time: DEMO_GENESIS,
    period,
    margin: 0,
  }
  return {
    chain,
    // As a real beacon, it says nothing of a round whose time has not come.
    read: async (round, { clock }) => (clock.now() >= roundTime(chain, round) ? sign(round) : null),
  }
}
