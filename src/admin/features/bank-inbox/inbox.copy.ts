import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { kitCopy, labels } from '#admin/kit/kit.copy.ts'
import { DIRECTION_WORDS, REFUND_WORDS, TRANSFER_WORDS } from '#contract/operator/words.ts'

export const inboxCopy = {
  empty: 'Không còn khoản nào chờ kiểm tra. Tiền về mà không tự ghép được với đơn sẽ nằm ở đây.',
  channel: 'Kênh',
  direction: 'Chiều',
  bookedAt: 'Ngân hàng ghi lúc',
  arrivedAt: 'Báo về lúc',
  reason: 'Vì sao',
  memoErased: 'Không có, hoặc đã xóa sau 24 tháng',
  providers: 'Nguồn báo',
  reversalOf: 'Thu hồi của khoản',
  waiting: 'Chờ người thứ hai',
  onlyWaiting: 'Đang chờ duyệt',
  search: 'Mã đơn, mã ngân hàng, tên',
  states: TRANSFER_WORDS,
  directions: DIRECTION_WORDS,
  next: 'Khoản sau',
  previous: 'Khoản trước',
  noNext: 'Không còn khoản nào ở phía này.',
  many: {
    label: 'Ghép các khoản đã chọn theo gợi ý',
    text: 'Mỗi khoản được ghép với đơn gợi ý cho nó; gợi ý rất có thể đã đánh dấu sẵn. Người chơi của đơn nhận đúng số tiền đã về. Trên mức tự quyết, một người thứ hai sẽ duyệt.',
    none: 'Không có đơn chưa trả nào được gợi ý; hãy mở khoản này để xử lý riêng.',
    waiting: 'Đang chờ người thứ hai quyết định, nên không ghép ở đây.',
  },
  suggestions: {
    title: 'Có thể là của',
    none: 'Không tìm thấy gợi ý nào. Hãy ghép theo mã đơn, cộng theo tên đăng nhập, hoặc hỏi người chuyển.',
    decided: 'Khoản này đã xử lý xong, không cần gợi ý.',
    match: 'Ghép với đơn',
    credit: 'Cộng cho',
    claim: 'Yêu cầu số',
    strengths: { strong: 'Rất có thể', fair: 'Có thể', weak: 'Chỉ là phỏng đoán' },
  },
  events: {
    title: 'Các thông báo về khoản này',
    none: 'Không có thông báo nào.',
    others: 'Trùng mã ngân hàng, nhưng là khoản khác',
    othersText:
      'Các thông báo này mang cùng mã ngân hàng mà khác số tiền hoặc khác đơn, nên không nói về khoản này.',
    provider: 'Nguồn báo',
    status: 'Trạng thái',
    signature: 'Chữ ký',
    receivedAt: 'Nhận lúc',
    text: 'Nội dung đầy đủ',
    signatures: { valid: 'Hợp lệ', stale: 'Hợp lệ nhưng quá hạn', pulled: 'Đọc từ sao kê' },
  },
  acts: { title: 'Việc đã làm', none: 'Chưa ai làm gì với khoản này.' },
  refunds: {
    title: 'Hoàn qua MoMo',
    failed: 'MoMo không hoàn được',
    failedText: (amount: string, code: string) =>
      `MoMo không hoàn được ${amount}${code}: tiền vẫn ở đây và đang chờ quyết định. Hãy hoàn lại qua MoMo, hoặc chuyển trả bằng tay rồi bấm “Đã hoàn bằng tay”.`,
    failedCode: (code: number) => ` (mã ${code})`,
    states: REFUND_WORDS,
    by: 'Người yêu cầu',
    requestedAt: 'Yêu cầu lúc',
    code: 'Mã của MoMo',
  },
  proposal: {
    title: 'Đang chờ người thứ hai',
    acts: {
      match: 'Ghép với đơn',
      credit: 'Cộng cho',
      'reverse-credit': 'Hủy lần cộng của',
      'refund-at-gateway': 'Hoàn qua MoMo cho',
    },
    payer: 'Người đã chuyển',
    amount: 'Số tiền hoàn',
    coins: 'Số TCoin',
    by: 'Người đề xuất',
    at: 'Đề xuất lúc',
    why: 'Lý do',
    approve: 'Duyệt',
    reject: 'Bác',
    withdraw: 'Rút đề xuất',
    own: 'Bạn là người đề xuất: cần một người khác duyệt.',
  },
  doing: {
    match: {
      label: 'Ghép với đơn',
      submit: 'Ghép và cộng',
      text: 'Người chơi của đơn nhận đúng số tiền đã về, theo tỉ lệ của đơn. Trên mức tự quyết, một người thứ hai sẽ duyệt.',
      field: 'Mã đơn nạp',
    },
    credit: {
      label: 'Cộng cho người chơi',
      submit: 'Cộng TCoin',
      text: 'Người chơi nhận đúng số tiền đã về, theo tỉ lệ hôm nay. Trên mức tự quyết, một người thứ hai sẽ duyệt.',
      field: 'Tên đăng nhập',
    },
    refund: {
      label: 'Đã hoàn bằng tay',
      submit: 'Ghi nhận đã hoàn',
      text: 'Chỉ ghi lại rằng tiền đã được chuyển trả ở ngân hàng. Cổng không chuyển tiền.',
      field: 'Mã giao dịch chuyển trả',
      day: 'Ngày chuyển trả',
    },
    gateway: {
      label: 'Hoàn qua MoMo',
      submit: 'Hoàn tiền',
      text: 'MoMo chuyển tiền về ví đã trả. Để trống số tiền là hoàn hết phần còn lại. Trên mức tự quyết, một người thứ hai sẽ duyệt rồi MoMo mới được yêu cầu.',
      field: 'Số tiền (VND)',
    },
    ignore: {
      label: 'Bỏ qua',
      submit: 'Bỏ qua khoản này',
      text: 'Không phải tiền của người chơi: lãi ngân hàng, tiền nội bộ. Vẫn có thể ghép lại về sau.',
    },
    reversal: {
      label: 'Liên kết thu hồi',
      submit: 'Liên kết và thu hồi',
      text: 'Khoản tiền ra này là ngân hàng thu hồi một khoản đã vào. TCoin đã cộng cho khoản đó bị lấy lại; thiếu thì người chơi nợ.',
      field: 'Mã số khoản tiền vào',
    },
    reverse: {
      label: 'Hủy lần cộng',
      text: 'Lấy lại TCoin đã cộng nhầm; thiếu thì người chơi nợ. Khoản chuyển về lại chờ kiểm tra.',
    },
  },
} as const

/** The filters of the inbox, by which the next and the previous transfer are found too. */
export const inboxFilters: readonly Filter[] = [
  { name: 'q', label: inboxCopy.search },
  {
    name: 'state',
    label: labels.state,
    options: [...optionsOf(inboxCopy.states), { value: 'all', label: kitCopy.list.all }],
    // A search covers every state.
    usual: ({ q, waiting }) => (q || waiting ? 'all' : 'review'),
  },
  { name: 'direction', label: inboxCopy.direction, options: optionsOf(inboxCopy.directions) },
  {
    name: 'channel',
    label: inboxCopy.channel,
    type: 'number',
    options: optionsOf(kitCopy.channels),
  },
  {
    name: 'waiting',
    label: inboxCopy.waiting,
    type: 'flag',
    options: [{ value: 'true', label: inboxCopy.onlyWaiting }],
  },
  { name: 'account', label: labels.account },
  { name: 'amount', label: labels.amount, type: 'number' },
  { name: 'from', label: labels.from, type: 'date' },
  { name: 'to', label: labels.to, type: 'date' },
]
