import { randomBytes, randomUUID } from 'node:crypto'
import {
  aTransfer,
  fieldsOf,
  notificationOf,
  sign,
  type Fields,
  type Sender,
  type SignedNotification,
  type TestTransfer,
} from '#tests/support/signed-notifications.ts'
import type { Actor } from '../../harness/players.ts'
import { repeat, type FaultRun, type WorldFault } from './fault.ts'

/** Their signatures cover the body; Casso's other kind has only a token, so whoever has that can say anything. */
const SIGNING: readonly Sender[] = ['sepay', 'casso', 'payos', 'momo']
const DAY_MS = 86_400_000

/** T6: notifications with forged, altered or stale signatures, and signed ones for another merchant or receiver. */
export const forgedNotices: WorldFault = {
  name: 'forged, altered and stale signatures, every field changed; other merchant, receiver, currency',
  inject: (run) => repeat(run, { leastMs: 20, mostMs: 100 }, () => oneForgery(run)),
}

async function oneForgery(run: FaultRun): Promise<void> {
  const { random, count, world, wrong } = run
  const memo = await openOrderCode(run, random.pick(run.actors))
  const amount = 10_000 * (1 + random.below(50))
  const provider = random.pick(SIGNING)
  const [what, { url: path, headers, body }] = forge(run, provider, aTransfer({ amount, memo }))
  count(`${provider}: ${what}`)
  const answer = await world.client.try({ path, headers, body })
  // Those are counted by the client; a busy machine may not store a stale one in time.
  if (answer === null || answer.status >= 500) return
  world.traffic.definite++
  // One that is rightly signed with useless contents is taken, and credits nobody: the books show that.
  if (answer.status < 400 && !SIGNED.has(what)) wrong(`${provider}: ${what} was answered ${answer.status}`)
}

/** An order of the load's, open or not; without one a code that nobody has. */
async function openOrderCode({ world }: FaultRun, { username }: Actor): Promise<string> {
  const order = await world.db
    .selectFrom('payment_order')
    .innerJoin('users', 'users.id', 'payment_order.user_id')
    .select('payment_order.code')
    .where('users.username', '=', username)
    .orderBy('payment_order.created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return order?.code ?? `TCX${randomUUID().slice(0, 10).toUpperCase()}`
}

/** With a signature that is right. */
const SIGNED = new Set(['another receiver', 'money that went out', 'another merchant'])

function forge({ random }: FaultRun, provider: Sender, transfer: TestTransfer) {
  const at = new Date()
  const fields = fieldsOf(provider, transfer)
  const right = sign({ provider, fields, at })
  const changed = (change: Partial<TestTransfer>) =>
    notificationOf({ provider, at, transfer: { ...transfer, ...change } })
  const ways: Record<string, () => SignedNotification> = {
    'another secret': () => sign({ provider, fields, at, secret: randomBytes(24).toString('hex') }),
    'no signature': () => unsigned(right),
    'a cut signature': () => ({
      ...right,
      headers: cutValues(right.headers),
      body: cutSignature(right.body),
    }),
    'a changed field': () => ({ ...right, body: changeField(right.body, random.below(1_000)) }),
  }
  if (provider === 'sepay' || provider === 'casso') {
    ways['another receiver'] = () => changed({ account: '9999999999' })
    ways['money that went out'] = () => changed({ direction: 'out' })
    ways['stale'] = () => sign({ provider, fields, at: new Date(at.getTime() - DAY_MS) })
  }
  if (provider === 'momo')
    ways['another merchant'] = () =>
      sign({ provider, fields: { ...fields, partnerCode: 'SOMEBODYELSE' }, at })
  const what = random.pick(Object.keys(ways))
  return [what, ways[what]?.() ?? right] as const
}

const isSignatureHeader = (name: string) => /signature/i.test(name)

function unsigned({ url, headers, body }: SignedNotification): SignedNotification {
  const rest = Object.entries(headers).filter(([name]) => !isSignatureHeader(name))
  const { signature: _, ...fields } = JSON.parse(body) as Fields
  return { url, headers: Object.fromEntries(rest), body: JSON.stringify(fields) }
}

const cutValues = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSignatureHeader(name) ? value.slice(0, -2) : value,
    ]),
  )

function cutSignature(body: string): string {
  const fields = JSON.parse(body) as Fields
  if (typeof fields.signature === 'string') fields.signature = fields.signature.slice(0, -2)
  return JSON.stringify(fields)
}

/** One field, at any depth, has another value than the one that was signed. */
function changeField(body: string, dice: number): string {
  const fields = JSON.parse(body) as Fields
  const inner = (fields.data ?? fields) as Fields
  const names = Object.keys(inner).filter((name) => name !== 'signature')
  const name = names[dice % names.length] as string
  const value = inner[name]
  inner[name] = typeof value === 'number' ? value + 1 : `${String(value ?? '')}x`
  return JSON.stringify(fields)
}
