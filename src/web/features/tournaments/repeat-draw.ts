import type { AnswerOf } from '#contract/endpoint.ts'
import type { getDraw } from '#contract/tournaments.ts'

export type Draw = AnswerOf<typeof getDraw>

type ListedTeam = Pick<Draw['teams'][number], 'id' | 'digest' | 'seed'>

const text = new TextEncoder()

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))

const hexOf = (bytes: ArrayBuffer) =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

const sha256 = async (bytes: BufferSource) => hexOf(await crypto.subtle.digest('SHA-256', bytes))

async function signer(key: BufferSource): Promise<(message: string) => Promise<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ])
  return (message) => crypto.subtle.sign('HMAC', imported, text.encode(message))
}

/** By number, since ids are longer than a JavaScript number holds exactly. */
const byId = (a: ListedTeam, b: ListedTeam) => a.id.length - b.id.length || (a.id < b.id ? -1 : 1)

/** The order that secret and list give, computed here: the same as `drawOrder` in the server's `draw.rules.ts`. */
async function drawOrder(secret: string, teams: readonly ListedTeam[]): Promise<string[]> {
  const sorted = teams.toSorted(byId)
  const lines = sorted.map(({ id, digest, seed }) => `${id}\t${digest}\t${seed ?? ''}\n`)
  const seedOf = await signer(bytesOf(secret))
  const random = await signer(await seedOf(lines.join('')))
  const seeded = sorted.filter(({ seed }) => seed !== null).sort((a, b) => (a.seed ?? 0) - (b.seed ?? 0))
  const others = sorted.filter(({ seed }) => seed === null)
  let counter = 0
  for (let last = others.length - 1; last > 0; last -= 1) {
    const limit = 2 ** 32 - (2 ** 32 % (last + 1))
    let value: number
    do value = new DataView(await random(String(counter++))).getUint32(0)
    while (value >= limit)
    const chosen = value % (last + 1)
    const moved = others[last] as ListedTeam
    others[last] = others[chosen] as ListedTeam
    others[chosen] = moved
  }
  return [...seeded, ...others].map(({ id }) => id)
}

export type DrawFault = 'commitment' | 'team' | 'order'

/** What does not agree in a published draw; empty where it repeats. */
export async function faultsOfDraw({ commitment, secret, teams, order }: Draw): Promise<DrawFault[]> {
  if (secret === null) throw new Error('The secret is not public yet')
  const faults = new Set<DrawFault>()
  if ((await sha256(bytesOf(secret))) !== commitment) faults.add('commitment')
  for (const { id, name, digest } of teams) {
    if (name !== null && (await sha256(text.encode(`${id}\t${name}`))) !== digest) faults.add('team')
  }
  const repeated = await drawOrder(secret, teams)
  if (repeated.join() !== order.join()) faults.add('order')
  return [...faults]
}
