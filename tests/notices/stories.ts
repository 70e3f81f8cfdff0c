import type { Sender } from '#tests/support/signed-notifications.ts'
import { sign } from '#tests/support/signed-notifications.ts'
import { callOf, signedBytes, type Call } from './calls.ts'
import {
  ACB_MAIN,
  ACCOUNTS,
  HOUR,
  LIMITS,
  PARTNER_CODE,
  RETIRED,
  SECOND,
  STRANGE_ACCOUNT,
  type Lane,
} from './lanes.ts'
import { brokenMemo, readableMemo } from './memos.ts'
import { elementOf, spoilSome, told, type Truth } from './transfers.ts'

/** Something that happens to money, and all that providers tell of it. */
type Story = (lane: Lane) => void

const later = (truth: Truth, ms: number): Truth => ({ ...truth, at: new Date(truth.at.getTime() + ms) })

const plain: Story = (lane) => void lane.tell(lane.truth(lane.order()))

const written: Story = (lane) => {
  const order = lane.order()
  lane.tell(lane.truth(order, { memo: readableMemo(order.code, lane.random) }))
}

const broken: Story = (lane) => {
  const order = lane.order()
  lane.tell(lane.truth(order, { memo: brokenMemo(order.code, lane.random) }))
}

/** Two codes, that of somebody else, one that no order has, that of an order long closed. */
const otherCodes: Story = (lane) => {
  const order = lane.order()
  const another = lane.random.pick(lane.orders)
  const memos = [
    `${order.code} ${another.code.toLowerCase()}`,
    `${order.code}${lane.code()}`,
    another.code,
    lane.code(),
    `${order.code} ${order.code}`,
  ]
  lane.tell(lane.truth(order, { memo: lane.random.pick(memos) }))
}

const repeated: Story = (lane) => {
  const truth = lane.truth(lane.order())
  const call = lane.call(lane.sender(), truth)
  if (lane.chance(50)) lane.send(...Array.from({ length: 2 + lane.random.below(3) }, () => call))
  for (let times = 1 + lane.random.below(4); times > 0; times--) lane.send(call)
}

/** The same under the same id in other bytes, and from the other interface of one provider. */
const rewritten: Story = (lane) => {
  const truth = lane.truth(lane.order())
  const id = lane.next()
  const sender = lane.sender()
  lane.tell(truth, sender, id)
  lane.tell(truth, sender === 'casso' ? 'casso-token' : sender, id)
}

const changed: Story = (lane) => {
  const truth = lane.truth(lane.order())
  const [id, sender] = [lane.next(), lane.sender()]
  const others: Partial<Truth>[] = [
    { amount: truth.amount + lane.random.pick([1, -1, 1_000_000]) },
    { memo: brokenMemo(truth.memo, lane.random) },
    { memo: '' },
    { account: STRANGE_ACCOUNT, virtual: null },
    { at: new Date(truth.at.getTime() + lane.random.pick([1, 60]) * SECOND) },
    { reference: truth.reference?.toLowerCase() ?? null },
    ...(sender === 'payos' ? [] : [{ reference: lane.reference() }, { reference: null }]),
  ]
  const other = lane.call(sender, { ...truth, ...lane.random.pick(others) }, id)
  lane.tell(truth, sender, id)
  lane.send(other)
  if (lane.chance(50)) lane.send(other)
}

const EDGES = [0, 1, 59, 60, 61, 599, 600, 601, 3_600, 86_399, 86_400, 86_401, 6 * 86_400]

/** What another notice about one transfer has otherwise. */
function retold(lane: Lane, truth: Truth): Truth {
  const { random } = lane
  const changes: ((one: Truth) => Truth)[] = [
    (one) => later(one, random.pick(EDGES) * SECOND * random.pick([1, -1])),
    (one) => ({ ...one, memo: `${one.memo} CT tu 0011000000009 NGUYEN VAN A` }),
    (one) => ({ ...one, memo: one.memo.slice(0, 9) }),
    (one) => ({ ...one, memo: '' }),
    (one) => ({ ...one, memo: 'chuyen tien' }),
    (one) => ({ ...one, payer: null }),
    (one) => ({ ...one, payer: random.pick(['***4321', '0901xxx777', '12', '5555666677']) }),
    (one) => ({ ...one, amount: one.amount + random.pick([1, -1]) }),
    (one) => ({ ...one, reference: one.reference?.toLowerCase() ?? null }),
    (one) => ({ ...one, account: one.virtual ?? one.account, virtual: null }),
    (one) => ({
      ...one,
      at: new Date(Math.floor((one.at.getTime() + 7 * HOUR) / (24 * HOUR)) * 24 * HOUR - 7 * HOUR),
    }),
  ]
  let again = truth
  for (let times = random.below(3); times > 0; times--) again = random.pick(changes)(again)
  return again
}

/** Two or three providers tell of one transfer. */
const twins: Story = (lane) => {
  const truth = lane.truth(lane.order())
  const senders = (['sepay', 'casso', 'payos'] as Sender[]).toSorted(() => lane.random.below(3) - 1)
  for (const sender of senders.slice(0, 2 + lane.random.below(2))) lane.tell(retold(lane, truth), sender)
}

/** At one moment, to two processes of the portal. */
const twinsAtOnce: Story = (lane) => {
  const truth = lane.truth(lane.order())
  const calls = (['sepay', 'payos'] as const).map((sender) =>
    callOf(sender, told(sender, truth, lane.next()), lane.random),
  )
  lane.send(...calls)
}

/** One provider gives one transfer two ids. */
const oneProviderTwice: Story = (lane) => {
  const truth = lane.truth(lane.order())
  const sender = lane.sender()
  lane.tell(truth, sender)
  for (let times = 1 + lane.random.below(2); times > 0; times--) lane.tell(retold(lane, truth), sender)
}

/** Strangers' transfers with equal references, and often equal amounts. */
const shortReferences: Story = (lane) => {
  for (let times = 2 + lane.random.below(2); times > 0; times--) {
    const order = lane.order({
      amount: 50_000,
      ...(lane.chance(60) ? { account: ACCOUNTS.vietcombank } : {}),
    })
    const memo = lane.chance(70) ? order.code : lane.random.pick(['chuyen tien', '', 'nap tien game ninja'])
    lane.tell(lane.truth(order, { reference: lane.shortReference(), memo }))
  }
}

const paidTwice: Story = (lane) => {
  const order = lane.order()
  lane.tell(lane.truth(order))
  lane.tell(lane.truth(order))
}

const otherAmount: Story = (lane) => {
  const order = lane.order()
  const amounts = [
    order.amount + 1,
    order.amount - 1,
    LIMITS.minVnd,
    LIMITS.minVnd - 1,
    LIMITS.maxVnd,
    LIMITS.maxVnd + 1,
    10 ** 13,
    10 ** 13 + 1,
    1,
    order.amount / 2,
  ]
  lane.tell(lane.truth(order, { amount: lane.random.pick(amounts) }))
}

/** On the edges of the order's time, booked ahead, booked by the day, at another rate, cancelled. */
const otherTime: Story = (lane) => {
  const { random } = lane
  const minutes = random.pick([10, 200, 72 * 60 + 5, 80 * 60, 400 * 60])
  const order = lane.order({ minutes, atOtherRate: lane.chance(50), isCancelled: lane.chance(20) })
  const sinceMade = [-1, 0, 1, 30 * 60, 30 * 60 + 1, 72 * 3_600, 72 * 3_600 + 1, 600 * 3_600]
  lane.tell(lane.truth(order, { at: new Date(order.createdAt.getTime() + random.pick(sinceMade) * SECOND) }))
}

const otherAccount: Story = (lane) => {
  const { random } = lane
  const order = lane.order(lane.chance(20) ? { account: RETIRED } : {})
  const numbers: [string, string | null][] = [
    [STRANGE_ACCOUNT, null],
    [ACB_MAIN, null],
    [ACB_MAIN, ACCOUNTS.acb],
    [ACCOUNTS.acb, null],
    [ACCOUNTS.vietcombank, 'VQRQ0009ZZZZ'],
    [ACCOUNTS.vietcombank, ACCOUNTS.vietcombank],
    [ACCOUNTS.vietcombank, null],
    [STRANGE_ACCOUNT, ACCOUNTS.vietcombank],
    [RETIRED, null],
    ['', ACCOUNTS.acb],
  ]
  const [account, virtual] = random.pick(numbers)
  const memo = random.pick([
    order.code,
    order.code,
    'chuyen tien',
    lane.code(),
    `${order.code} ${lane.code()}`,
  ])
  lane.tell(lane.truth(order, { account, virtual, memo }))
}

const outgoing: Story = (lane) => {
  const truth = lane.truth(lane.order(), { direction: 'out' })
  lane.tell(truth)
  if (lane.chance(40)) lane.tell(truth)
}

const withoutReference: Story = (lane) => {
  const truth = lane.truth(lane.order(), { reference: null })
  lane.tell(truth)
  if (lane.chance(50)) lane.tell(truth)
}

const gateway: Story = (lane) => {
  const { random } = lane
  const order = lane.order({ isAtMomo: lane.chance(85) })
  const truth = lane.truth(order, { account: PARTNER_CODE, virtual: null })
  const amount = lane.chance(85) ? truth.amount : truth.amount + random.pick([1, -1])
  const fields = told(
    'momo',
    { ...truth, amount, memo: lane.chance(90) ? order.code : lane.code() },
    lane.next(),
  )
  const call = callOf('momo', fields, random)
  // Results before the one that counts have the same number.
  if (lane.chance(25)) {
    const resultCode = random.pick([9000, 1000, 7000, 7002, 1006, 1005, 99, 42, '1006'])
    lane.send(callOf('momo', { ...fields, resultCode }, random))
  }
  if (lane.chance(80)) lane.send(call)
  if (lane.chance(30)) lane.send(call)
}

const failedAtPayos: Story = (lane) => {
  const fields = told('payos', lane.truth(lane.order()), lane.next())
  const element = elementOf('payos', fields)
  Object.assign(
    element,
    lane.random.pick([
      { code: '01' },
      { code: '' },
      { code: null },
      { currency: 'USD' },
      { currency: '' },
      { code: '07' },
    ]),
  )
  const call = callOf('payos', fields, lane.random)
  lane.send(call)
  if (lane.chance(30)) lane.send(call)
}

const batch: Story = (lane) => {
  const sender = lane.random.pick(['casso-token', 'sepay'] as const)
  const elements = Array.from({ length: lane.random.below(6) }, () => {
    const element = elementOf(sender, told(sender, lane.truth(lane.order()), lane.next()))
    if (lane.chance(10)) Object.assign(element, { amount: 'nam muoi nghin', transferAmount: [] })
    return lane.chance(6) ? lane.random.pick(['nothing', 7, []]) : element
  })
  const list = sender === 'sepay' ? (elements as never) : { error: 0, data: elements }
  const call = callOf(sender, list, lane.random)
  lane.send(call)
  if (lane.chance(30)) lane.send(call)
}

const refused: Story = (lane) => {
  const call = lane.call(lane.sender(), lane.truth(lane.order()))
  const withHeaders = (headers: Record<string, string>): Call => ({
    ...call,
    headersAt: () => headers,
    signature: 'wrong',
  })
  const ways: (() => Call)[] = [
    () => withHeaders({}),
    () => withHeaders({ 'x-sepay-signature': 'sha256=00', 'x-sepay-timestamp': '1', 'secure-token': 'x' }),
    () => withHeaders({ 'x-casso-signature': 't=1,v1=00' }),
    () => ({ ...call, body: Buffer.concat([call.body, Buffer.from(' ')]), signature: 'wrong' }),
  ]
  const { provider } = call
  // payOS and MoMo sign inside the body, a token proves any body.
  if (provider === 'payos') {
    const { body } = sign({
      provider: 'payos',
      fields: told('payos', lane.truth(lane.order()), lane.next()),
      at: new Date(),
      secret: 'not ours',
    })
    lane.send({ ...call, body: Buffer.from(body), signature: 'wrong' })
    lane.send({
      ...call,
      body: Buffer.from(lane.random.pick(['', 'amount=1', '{"data":'])),
      signature: 'no json',
    })
    return
  }
  lane.send((provider === 'sepay' ? lane.random.pick(ways) : lane.random.pick(ways.slice(0, 2)))())
}

const stale: Story = (lane) => {
  const call = lane.call('sepay', lane.truth(lane.order()))
  lane.send({ ...call, signature: 'old' })
  if (lane.chance(30)) lane.send({ ...call, signature: 'old' })
  if (lane.chance(50)) lane.send(call)
}

/** A row of a provider's list about it, as the list names its fields. */
function list(lane: Lane, truth: Truth, id: number, name: 'sepay' | 'casso'): void {
  if (name === 'casso') {
    const row = elementOf('casso', told('casso', truth, id))
    return void lane.listed.push({ list: name, truth, id, row })
  }
  const notice = told('sepay', truth, id)
  const amount = `${truth.amount}.00`
  const row = {
    id: String(id),
    account_number: truth.account,
    sub_account: truth.virtual,
    amount_in: truth.direction === 'in' ? amount : '0.00',
    amount_out: truth.direction === 'out' ? amount : '0.00',
    reference_number: truth.reference,
    transaction_content: truth.memo,
    transaction_date: notice.transactionDate,
    code: null,
  }
  lane.listed.push({ list: name, truth, id, row })
}

const listed: Story = (lane) => {
  const name = lane.random.pick(['sepay', 'casso'] as const)
  const truth = lane.truth(lane.order(), lane.chance(15) ? { direction: 'out' } : {})
  const id = lane.next()
  if (lane.chance(60)) lane.tell(truth, name, id)
  if (lane.chance(20)) lane.tell(truth, lane.sender(truth))
  // Lists name the main number, and SePay's is asked for it.
  const { account, virtual } = truth
  list(lane, { ...(lane.chance(70) ? truth : retold(lane, truth)), account, virtual }, id, name)
}

const spoiled: Story = (lane) => {
  const truth = lane.truth(lane.order())
  const sender = lane.chance(15) ? 'momo' : lane.sender()
  const fields = told(sender, sender === 'momo' ? { ...truth, account: PARTNER_CODE } : truth, lane.next())
  spoilSome(sender, elementOf(sender, fields), lane.random)
  const call = callOf(sender, fields, lane.random)
  lane.send(call)
  if (lane.chance(20)) lane.send(call)
}

const trial: Story = (lane) => {
  const truth = lane.truth(lane.order(), { memo: 'giao dich thu nghiem' })
  lane.tell(truth, lane.random.pick(['sepay', 'casso', 'casso-token'] as const), 0)
}

const GARBAGE = [
  '',
  'hello',
  '[]',
  'null',
  '0',
  '"nap"',
  '{}',
  '{"data":[]}',
  '{"data":null}',
  '{"id":1',
  '=5&=6',
  `${'['.repeat(20)}${']'.repeat(20)}`,
  '<xml><amount>50000</amount></xml>',
]

const garbage: Story = (lane) => {
  const { random } = lane
  const own = random.pick([random.pick(GARBAGE), `${random.pick(GARBAGE)} ${lane.next()}`])
  const bytes = lane.chance(15)
    ? Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x41, random.below(256)])
    : Buffer.from(own)
  const sender = random.pick(['sepay', 'casso-token'] as const)
  lane.send(
    signedBytes(sender, {
      body: bytes,
      contentType: random.pick([
        'application/json',
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/octet-stream',
      ]),
    }),
  )
}

const tooMany: Story = (lane) => {
  const data = Array.from({ length: lane.random.pick([500, 501]) }, () => ({ id: 0 }))
  lane.send(callOf('casso-token', { error: 0, data }, lane.random))
}

/** How often each happens. */
const WEIGHTS: [Story, number][] = [
  [plain, 9],
  [written, 9],
  [broken, 6],
  [otherCodes, 5],
  [repeated, 4],
  [rewritten, 4],
  [changed, 4],
  [twins, 8],
  [twinsAtOnce, 2],
  [oneProviderTwice, 5],
  [shortReferences, 4],
  [paidTwice, 3],
  [otherAmount, 4],
  [otherTime, 5],
  [otherAccount, 6],
  [outgoing, 2],
  [withoutReference, 3],
  [gateway, 5],
  [failedAtPayos, 2],
  [batch, 2],
  [refused, 3],
  [stale, 2],
  [listed, 4],
]

/** These give ids and references away that others may have: they stay in one lane. */
const ODD_WEIGHTS: [Story, number][] = [
  [spoiled, 12],
  [trial, 1],
  [garbage, 3],
]

const spread = (weights: [Story, number][]) =>
  weights.flatMap(([story, weight]) => Array.from({ length: weight }, () => story))
const STORIES = spread(WEIGHTS)
const ODD_STORIES = spread(ODD_WEIGHTS)

/** The first lane has the odd ones beside the others. */
export function tellStory(lane: Lane, isOdd: boolean): void {
  lane.random.pick(isOdd ? ODD_STORIES : STORIES)(lane)
}

export const tellOfTooMany = tooMany
