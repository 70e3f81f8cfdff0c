import { fieldsOf, type Fields, type Sender } from '#tests/support/signed-notifications.ts'
import type { Random } from '../harness/numbers.ts'
import { figure } from './calls.ts'
import type { Order } from './rules/rules.ts'

/** What truly happened at a bank, or at MoMo's gateway. */
export type Truth = {
  order: Order | null
  account: string
  virtual: string | null
  amount: number
  reference: string | null
  memo: string
  at: Date
  payer: string | null
  direction: 'in' | 'out'
}

/** A sender's fields about it, under its own id. */
export function told(sender: Sender, truth: Truth, id: number): Fields {
  const { account, virtual, amount, reference, memo, at, payer, direction } = truth
  const transfer = {
    id,
    amount,
    account,
    ...(virtual === null ? {} : { virtualAccount: virtual }),
    memo,
    ref: reference,
    bookedAt: at,
    direction,
  }
  const fields = fieldsOf(sender, transfer)
  const element = elementOf(sender, fields)
  if (sender === 'casso' || sender === 'payos') element.counterAccountNumber = payer ?? ''
  if (sender === 'casso-token') element.corresponsiveAccount = payer
  return fields
}

/** Where a sender's fields of one transfer are. */
export function elementOf(sender: Sender, fields: Fields): Fields {
  if (sender === 'sepay' || sender === 'momo') return fields
  return sender === 'casso-token' ? (fields.data as Fields[])[0]! : (fields.data as Fields)
}

type Role = 'id' | 'account' | 'virtual' | 'direction' | 'amount' | 'reference' | 'memo' | 'time'

const ROLES: Record<Sender, Partial<Record<Role, string>>> = {
  sepay: {
    id: 'id',
    account: 'accountNumber',
    virtual: 'subAccount',
    direction: 'transferType',
    amount: 'transferAmount',
    reference: 'referenceCode',
    memo: 'content',
    time: 'transactionDate',
  },
  casso: {
    id: 'id',
    account: 'accountNumber',
    virtual: 'virtualAccountNumber',
    amount: 'amount',
    reference: 'reference',
    memo: 'description',
    time: 'transactionDateTime',
  },
  'casso-token': {
    id: 'id',
    account: 'bank_sub_acc_id',
    virtual: 'virtualAccount',
    amount: 'amount',
    reference: 'tid',
    memo: 'description',
    time: 'when',
  },
  payos: {
    id: 'paymentLinkId',
    account: 'accountNumber',
    virtual: 'virtualAccountNumber',
    amount: 'amount',
    reference: 'reference',
    memo: 'description',
    time: 'transactionDateTime',
  },
  momo: { id: 'transId', memo: 'orderInfo', time: 'responseTime' },
}

/** Ways to write the same value. */
function otherWriting(role: Role, value: unknown, random: Random): unknown {
  const text = String(value)
  if (role === 'amount') return amountWritten(Number(value), random)
  if (role === 'id') return random.pick([text, value])
  if (role === 'direction')
    return random.pick([text.toUpperCase(), ` ${text} `, 'In'.startsWith(text) ? 'In' : 'Out'])
  if (role === 'account') return random.pick([` ${text}`, /^[1-9]\d{5,14}$/.test(text) ? Number(text) : text])
  if (role === 'time' && / /.test(text)) {
    const [day = '', clock = ''] = text.split(' ')
    const [year, month, date] = day.split('-')
    return random.pick([
      `${day}T${clock}`,
      `${date}/${month}/${year} ${clock}`,
      `${day}T${clock}+07:00`,
      new Date(`${day}T${clock}+07:00`).toISOString(),
      `${day}T${clock}.000+07:00`,
    ])
  }
  if (role === 'memo') return random.pick([text.normalize('NFD'), text.toLowerCase(), `${text} `])
  return value
}

function amountWritten(amount: number, random: Random): unknown {
  const sign = amount < 0 ? '-' : ''
  const figures = String(Math.abs(amount))
  const grouped = (divider: string) => sign + figures.replaceAll(/\B(?=(\d{3})+$)/g, divider)
  return random.pick([
    sign + figures,
    `${sign}${figures}.00`,
    figure(`${sign}${figures}.0`),
    figure(`${sign}${figures}e0`),
    grouped(','),
    grouped('.'),
    grouped(' '),
    `${grouped(',')}.00`,
    `${grouped('.')},00`,
    `${grouped('.')} đ`,
    `${sign}${figures}VND`,
    ...(sign === '' ? [`+${figures}`] : []),
  ])
}

/** What nobody sends, until somebody does. MoMo and payOS sign values: theirs are texts or numbers, and no `null`. */
const STRANGE = [
  null,
  '',
  '   ',
  'null',
  'NaN',
  '-',
  0,
  '0',
  -1,
  1.5,
  '1e5',
  figure('1e5'),
  figure('99999999999999999999'),
]
const WILD = [true, false, [], {}, [1], { a: 1 }, ['x', null]]

export function rewriteSome(sender: Sender, element: Fields, random: Random): void {
  for (const [role, name] of Object.entries(ROLES[sender])) {
    if (random.below(3) === 0 && element[name] !== null && element[name] !== '')
      element[name] = otherWriting(role as Role, element[name], random)
  }
}

/** Some banks tell no time, and some lists lose it. */
export function removeTime(sender: Sender, element: Fields): void {
  element[ROLES[sender].time ?? ''] = ''
}

/** One to three fields are missing, or have a value that does not belong there. */
export function spoilSome(sender: Sender, element: Fields, random: Random): void {
  const names = [...Object.values(ROLES[sender]), ...(sender === 'momo' ? ['amount'] : [])]
  for (let times = 1 + random.below(3); times > 0; times--) {
    const name = random.pick(names)
    const wild = sender === 'sepay' || sender === 'casso-token' || sender === 'casso'
    // MoMo signs what is not there as if it were blank.
    if (sender !== 'momo' && random.below(4) === 0) delete element[name]
    else element[name] = random.pick(wild ? [...STRANGE, ...WILD] : STRANGE.filter((one) => one !== 'null'))
  }
}
