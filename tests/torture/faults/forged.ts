import { randomBytes, randomUUID } from 'node:crypto'
import { anAddress } from '#tests/support/players.ts'
import {
  fieldsOf,
  notificationOf,
  sign,
  type Fields,
  type Sender,
  type SignedNotification,
  type TestTransfer,
} from '#tests/support/signed-notifications.ts'
import type { Actor } from '../../harness/players.ts'
import { Client } from '../../harness/client.ts'
import { repeat, type FaultRun, type WorldFault } from './fault.ts'

/** Their signatures cover the body; Casso's other kind has only a token, so whoever has that can say anything. */
const SIGNING: readonly Sender[] = ['sepay', 'casso', 'payos', 'momo']
const DAY_MS = 86_400_000

let transferIds = Date.now()

/** T6: notifications with forged, altered or stale signatures, and signed ones for another merchant or receiver. */
export const forgedNotices: WorldFault = {
  name: 'forged, altered and stale signatures, every field changed; other merchant, receiver, currency',
  needs: {},
  async inject(run) {
    const { random, actors } = run
    // Past the counting client: a refusal is expected here.
    const client = new Client(run.world.webs[0]?.url ?? '')
    await repeat(run, { leastMs: 20, mostMs: 100 }, () => oneForgery(run, client, random.pick(actors)))
  },
}

async function oneForgery(run: FaultRun, client: Client, actor: Actor): Promise<void> {
  const { random, count, wrong } = run
  const code = await openOrderCode(run, actor)
  const provider = random.pick(SIGNING)
  const transfer: TestTransfer = {
    id: transferIds++,
    amount: 10_000 * (1 + random.below(50)),
    account: '0000000000',
    memo: code,
    ref: `FT${transferIds}`,
    bookedAt: new Date(),
    direction: 'in',
  }
  const { what, notification, isSigned } = forge(run, provider, transfer)
  count(`${provider}: ${what}`)
  const answer = await client.try({
    method: 'POST',
    path: new URL(notification.url, 'http://portal').pathname,
    body: notification.body,
    from: anAddress(),
    headers: notification.headers,
  })
  if (answer === null) return
  if (answer.status === 503 && answer.retryAfterMs > 0) {
    // Not validated yet: a stale one is stored first, which a busy machine may not do in time.
    run.world.traffic.unavailable++
    return
  }
  run.world.traffic.definite++
  // One that is rightly signed with useless contents is taken, and credits nobody: the books show that.
  const isRefused = answer.status >= 400 && answer.status < 500
  if (!isSigned && !isRefused) wrong(`${provider}: ${what} was answered ${answer.status}`)
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

type Forgery = { what: string; notification: SignedNotification; isSigned: boolean }

function forge({ random }: FaultRun, provider: Sender, transfer: TestTransfer): Forgery {
  const at = new Date()
  const right = notificationOf({ provider, transfer, at })
  const forged = (what: string, notification: SignedNotification) => ({ what, notification, isSigned: false })
  const ways: (() => Forgery)[] = [
    () =>
      forged(
        'another secret',
        notificationOf({ provider, transfer, at, secret: randomBytes(24).toString('hex') }),
      ),
    () => forged('no signature', unsigned(right)),
    () =>
      forged('a cut signature', {
        ...right,
        headers: cutValues(right.headers),
        body: cutSignature(right.body),
      }),
    () => forged('a changed field', { ...right, body: changeField(right.body, random.below(1_000)) }),
    () => ({
      what: 'another receiver',
      notification: notificationOf({ provider, transfer: { ...transfer, account: '9999999999' }, at }),
      isSigned: true,
    }),
    () => ({
      what: 'money that went out',
      notification: notificationOf({ provider, transfer: { ...transfer, direction: 'out' }, at }),
      isSigned: true,
    }),
  ]
  if (provider === 'sepay' || provider === 'casso') {
    const old = new Date(at.getTime() - DAY_MS)
    ways.push(() => forged('stale', notificationOf({ provider, transfer, at: old })))
  }
  if (provider === 'momo') {
    const fields: Fields = { ...fieldsOf('momo', transfer), partnerCode: 'SOMEBODYELSE' }
    ways.push(() => ({
      what: 'another merchant',
      notification: sign({ provider, fields, at }),
      isSigned: true,
    }))
  }
  // What MoMo's and payOS' notifications say of these two is not where the money went.
  const usable = ways.filter(
    (_, index) => !(index >= 4 && index <= 5 && (provider === 'momo' || provider === 'payos')),
  )
  return random.pick(usable)()
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
