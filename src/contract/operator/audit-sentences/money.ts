import { formatNumber } from '../../format.ts'
import {
  CLAIM_WORDS,
  CLOSE_WORDS,
  DELIVERY_WORDS,
  describeReason,
  DIFFERENCE_WORDS,
  PROMOTION_WORDS,
  TRANSFER_WORDS,
} from '../words.ts'
import {
  type Act,
  amount,
  changeOf,
  changesOf,
  custom,
  type Fields,
  momentField,
  type Sentence,
  state,
  termsIn,
} from './audited-act.ts'
import { type Part, say } from './parts.ts'

const TRANSFER: Fields = {
  state: state('Trạng thái', TRANSFER_WORDS),
  reason: custom('Vì sao', (reason) => (typeof reason === 'string' ? (describeReason(reason) ?? '') : '')),
  credited: amount('Đã cộng', 'TCoin'),
}

const order = (act: Act): Part => act.thing('payment_order', act.text('order_code'))

/** The player owes what the wallet no longer held. */
const lent = (act: Act) => (act.number('lent') > 0 ? `, ghi nợ ${act.coins('lent')}` : '')

const match = (act: Act) =>
  say`ghép ${act.itself()} với đơn nạp ${order(act)}, cộng ${act.coins('coins')} cho ${act.person('user_id')}`
const credit = (act: Act) => say`cộng ${act.coins('coins')} của ${act.itself()} cho ${act.person('user_id')}`
const reverse = (act: Act) =>
  say`thu hồi ${act.coins('coins')} đã cộng cho ${act.person('user_id')} từ ${act.itself()}${lent(act)}`

/** What was proposed about a bank transfer. */
function proposed(act: Act): Part[] {
  if (act.text('proposed') === 'reverse-credit') return reverse(act)
  if (act.text('proposed') === 'refund-at-gateway')
    return say`hoàn ${act.vnd('amount')} của ${act.itself()} qua MoMo`
  return act.text('order_code') === '' ? credit(act) : match(act)
}

const onTransfer = (words: (act: Act) => Part[]): Sentence => ({
  say: words,
  changes: (act) => changesOf(act, TRANSFER),
})

const decided = (verb: string) =>
  onTransfer((act) => say`${verb} đề xuất của ${act.person('proposed_by')}: ${proposed(act)}`)

export const transferSentences = {
  'bank-transfers.match': onTransfer(match),
  'bank-transfers.match-many': onTransfer(match),
  'bank-transfers.credit': onTransfer(credit),
  'bank-transfers.reverse-credit': onTransfer(reverse),
  'bank-transfers.link-reversal': onTransfer((act) => {
    const taken =
      act.number('coins') > 0 ? say`, thu hồi ${act.coins('coins')} của ${act.person('user_id')}` : []
    const original = act.thing('bank_transaction', act.text('original_id'))
    return say`nối ${act.itself()} là tiền ngân hàng thu lại của ${original}${taken}${lent(act)}`
  }),
  'bank-transfers.refund': onTransfer(
    (act) =>
      say`ghi nhận đã hoàn ${act.itself()} cho người chuyển ngày ${act.moment('refunded_on').slice(0, 10)}, mã chuyển trả ${act.text('outgoing_reference')}`,
  ),
  'bank-transfers.refund-at-gateway': onTransfer(
    (act) => say`yêu cầu MoMo hoàn ${act.vnd('amount')} của ${act.itself()}`,
  ),
  'bank-transfers.refund-at-gateway-done': {
    say: (act) =>
      say`ghi nhận MoMo đã hoàn ${act.vnd('amount')} của ${act.itself()} theo yêu cầu của ${act.person('asked_by')}`,
  },
  'bank-transfers.refund-at-gateway-failed': {
    say: (act) => {
      const code = act.text('result_code') === '' ? '' : ` (mã ${act.text('result_code')})`
      return say`ghi nhận MoMo không hoàn được ${act.vnd('amount')} của ${act.itself()}${code}`
    },
  },
  'bank-transfers.ignore': onTransfer((act) => say`bỏ qua ${act.itself()}`),
  'bank-transfers.propose': onTransfer((act) => say`đề xuất ${proposed(act)}, chờ người thứ hai duyệt`),
  'bank-transfers.approve': decided('duyệt'),
  'bank-transfers.reject': decided('bác'),
  'bank-transfers.withdraw': onTransfer((act) => say`rút đề xuất ${proposed(act)}`),
} satisfies Record<string, Sentence>

const transferOf = (act: Act): Part => act.thing('bank_transaction', act.text('bank_transaction_id'))

const CLOSE: Fields = {
  status: state('Kết quả', CLOSE_WORDS),
  differences: custom('Chỗ không khớp', (value) =>
    Array.isArray(value) ? value.map((one) => DIFFERENCE_WORDS[String(one)] ?? String(one)).join('; ') : '',
  ),
}

export const paymentSentences = {
  'payment-events.accept': {
    say: (act) => {
      if (act.text('bank_transaction_id') === '') return say`công nhận ${act.itself()} là thật`
      const outcome = act.at('is_new') === false ? 'đã có' : 'mới'
      return say`công nhận ${act.itself()} là thật: ${transferOf(act)} (${outcome})`
    },
  },
  'payment-events.dismiss': { say: (act) => say`bỏ ${act.itself()}` },
  'recharge-orders.query': {
    say: (act) => say`hỏi ${act.text('provider') || 'cổng thanh toán'} về đơn nạp ${act.itself()}`,
  },
  'recharge-orders.note': { say: (act) => say`ghi chú về đơn nạp ${act.itself()}` },
  'recharge-claims.answer': {
    say: (act) => {
      const found = act.text('bank_transaction_id') === '' ? [] : say`, đã tìm thấy ${transferOf(act)}`
      return say`trả lời ${act.itself()} của ${act.person('user_id')} về ${act.vnd('amount')}${found}`
    },
    changes: (act) => changeOf(act, state('Trạng thái', CLAIM_WORDS)),
  },
  'daily-closes.read-anew': {
    say: (act) =>
      say`đọc lại sao kê của ${act.itself()}: thêm ${act.number('found')} khoản, ${act.number('failed')} nguồn không đọc được`,
    changes: (act) => changesOf(act, CLOSE),
  },
  'daily-closes.take-file': {
    say: (act) =>
      say`đối chiếu ${act.number('days')} ngày của tài khoản ${act.text('account_number')} (${act.text('first')} – ${act.text('last')}) với một tệp sao kê`,
  },
  'daily-closes.give-figures': {
    say: (act) =>
      say`đối chiếu bằng tay ${act.itself()} của tài khoản ${act.text('account_number')}: ${act.text('in_count')} khoản vào, ${act.text('in_vnd')} đ; ${act.text('out_count')} khoản ra, ${act.text('out_vnd')} đ`,
  },
  'reconciliation.start': { say: (act) => say`bắt đầu ${act.itself()}` },
} satisfies Record<string, Sentence>

const KNOWN: Record<string, string> = {
  applied: 'đã nhận',
  cancelled: 'đã hủy',
  'not-applied': 'chưa nhận được',
}

const onDelivery = (words: (act: Act) => Part[]): Sentence => ({
  say: words,
  changes: (act) => changeOf(act, state('Trạng thái', DELIVERY_WORDS)),
})

/** How many deliveries one act gives again. */
export const givenAgain = (act: Act): Part[] => say`giao lại ${act.number('after')} món game đã mất`

export const deliverySentences = {
  'game-comparison.start': {
    say: (act) => {
      const server = act.text('server') === '' ? 'mọi máy chủ' : `máy chủ ${act.text('server')}`
      return say`so với game những món của ${server}, mua từ ${act.moment('since')} đến ${act.moment('until')}`
    },
  },
  'deliveries.give-again': { say: givenAgain },
  'deliveries.retry': onDelivery((act) => say`gửi lại ${act.itself()}`),
  'deliveries.retry-many': onDelivery((act) => say`gửi lại nhiều lượt giao, trong đó có ${act.itself()}`),
  'deliveries.ask': {
    say: (act) => say`hỏi game về ${act.itself()}: ${KNOWN[act.text('known')] ?? 'chưa rõ'}`,
  },
  'deliveries.refund': onDelivery((act) =>
    act.text('after') === 'delivered'
      ? say`muốn hoàn ${act.itself()}, nhưng game đã giao nên ghi nhận đã giao`
      : say`hoàn ${act.coins('amount')} của ${act.itself()}`,
  ),
  'deliveries.settle': onDelivery((act) => {
    const evidence = act.text('evidence') === '' ? '' : `, bằng chứng: ${act.text('evidence')}`
    return say`ghi nhận ${act.itself()} đã tới${evidence}`
  }),
} satisfies Record<string, Sentence>

const OWED: Fields = { owed: amount('Nợ', 'TCoin') }
const PURSE: Fields = { balance: amount('Số dư', 'TCoin'), debt: amount('Nợ', 'TCoin') }

/** TCoin that is added, or taken away. */
export const adjusted = (signed: number, player: Part): Part[] =>
  signed < 0
    ? say`trừ ${formatNumber(-signed)} TCoin của ${player}`
    : say`cộng ${formatNumber(signed)} TCoin cho ${player}`

/** TCoin that is put into a budget, or taken back. */
export const funded = (signed: number, budget: Part): Part[] =>
  signed < 0
    ? say`rút ${formatNumber(-signed)} TCoin khỏi ${budget}`
    : say`cấp ${formatNumber(signed)} TCoin cho ${budget}`

const BUDGET: Fields = { balance: amount('Còn lại', 'TCoin'), funded: amount('Đã cấp', 'TCoin') }

const words = (value: unknown): string => (typeof value === 'string' ? value : '')

/** What an edit may change besides times and amounts. */
const TERMS: Fields = { title: custom('Tên', words), sentence: custom('Điều kiện', words) }

const PROMOTION: Fields = {
  state: state('Trạng thái', PROMOTION_WORDS),
  starts_at: momentField('Bắt đầu'),
  ends_at: momentField('Kết thúc'),
  cap_per_player: amount('Tối đa mỗi người', 'TCoin'),
  cap_total: amount('Tổng tối đa', 'TCoin'),
  ...TERMS,
  budget_title: custom('Ngân sách', words),
}

const MILESTONES: Fields = {
  state: state('Trạng thái', PROMOTION_WORDS),
  starts_at: momentField('Bắt đầu'),
  ends_at: momentField('Kết thúc'),
  claims_until: momentField('Nhận quà đến'),
  claims_max: amount('Số người mỗi mốc', ''),
  ...TERMS,
}

const CODES: Fields = {
  state: state('Trạng thái', PROMOTION_WORDS),
  starts_at: momentField('Bắt đầu'),
  ends_at: momentField('Kết thúc'),
  coins: amount('Mỗi lượt tặng', 'TCoin'),
  per_player: amount('Mỗi người', 'lượt'),
  ...TERMS,
  budget_title: custom('Ngân sách', words),
  server_name: custom('Máy chủ', words),
}

const onMilestones = (verb: string): Sentence => ({
  say: (act) => say`${verb} ${act.itself('title')}`,
  changes: (act) => [...changesOf(act, MILESTONES), ...termsIn(act)],
})

const onCodes = (verb: string): Sentence => ({
  say: (act) => say`${verb} ${act.itself('title')}`,
  changes: (act) => [...changesOf(act, CODES), ...termsIn(act)],
})

const onPromotion = (verb: string): Sentence => ({
  say: (act) => say`${verb} ${act.itself('title')}`,
  changes: (act) => [...changesOf(act, PROMOTION), ...termsIn(act)],
})

export const walletSentences = {
  'gift-codes.make': onCodes('tạo'),
  'gift-codes.update': onCodes('sửa'),
  'gift-codes.start': onCodes('chạy'),
  'gift-codes.stop': onCodes('dừng'),
  'promotions.plan': onPromotion('lập'),
  'promotions.update': onPromotion('sửa'),
  'promotions.start': onPromotion('chạy'),
  'promotions.stop': onPromotion('dừng'),
  'milestones.plan': onMilestones('lập'),
  'milestones.update': onMilestones('sửa'),
  'milestones.start': onMilestones('chạy'),
  'milestones.stop': onMilestones('dừng'),
  'budgets.create': { say: (act) => say`lập ${act.itself('title')}` },
  'budgets.fund': {
    say: (act) => funded(act.number('amount'), act.itself('title')),
    changes: (act) => changesOf(act, BUDGET),
  },
  'invitations.grant': {
    say: (act) => say`thưởng ${act.coins('coins')} cho ${act.person('inviter')} vì đã mời ${act.itself()}`,
  },
  'invitations.refuse': {
    say: (act) => say`từ chối thưởng cho ${act.person('inviter')} vì đã mời ${act.itself()}`,
  },
  'users.adjust': {
    say: (act) => adjusted(act.number('amount'), act.itself()),
    changes: (act) => changesOf(act, PURSE),
  },
  'users.settle-debt': {
    say: (act) => say`lấy ${act.coins('paid')} trong ví của ${act.itself()} để trả nợ`,
    changes: (act) => changesOf(act, OWED),
  },
} satisfies Record<string, Sentence>
