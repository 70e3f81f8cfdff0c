import { formatDay } from '#contract/format.ts'
import type { CloseRowKind, CloseStatus as Status, StatementColumn } from '#contract/operator/daily-closes.ts'
import { CLOSE_WORDS, DIFFERENCE_WORDS } from '#contract/operator/words.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

export const closesCopy = {
  one: 'Chốt ngày',
  empty: 'Chưa có ngày nào được chốt. Mỗi đêm, ngày hôm trước được đối soát với sao kê.',
  day: 'Ngày',
  revision: 'Lần',
  status: 'Kết quả',
  differences: 'Không khớp',
  bank: 'Ngân hàng báo vào',
  arrived: 'Đã đến',
  notified: 'Có thông báo',
  review: 'Chờ kiểm tra',
  refunded: 'Đã hoàn',
  ignored: 'Bỏ qua',
  due: 'Phải cộng',
  ledger: 'Sổ cái đã cộng',
  orders: 'Cộng theo đơn',
  direct: 'Cộng trực tiếp',
  openEvents: 'Thông báo treo',
  madeAt: 'Đối soát lúc',
  noStatement: 'Không có sao kê',
  books: 'Đối soát sổ sách (R1–R16)',
  ours: 'Sổ của cổng',
  bankSide: 'Sao kê ngân hàng',
  comparison: 'Sao kê và sổ',
  in: 'Tiền vào',
  out: 'Tiền ra',
  inCount: 'Số khoản vào',
  item: 'Mục',
  became: 'Tiền đã đến thành',
  statementOf: (provider: string) =>
    ({ file: 'Tệp sao kê của ngân hàng', hand: 'Số liệu nhập bằng tay' })[provider] ??
    `Sao kê qua ${provider}`,
  givenBy: 'Người đưa',
  proof: 'Ảnh số liệu',
  proofAlt: 'Ảnh chụp số liệu của ngày trong ứng dụng ngân hàng',
  readAt: 'Đọc lúc',
  unreadable: 'Dòng không đọc được',
  noRows: 'Chỉ so được tổng của ngày: số liệu này không có từng dòng.',
  noStatementYet: 'Chưa đọc được sao kê nào của ngày này: chỉ so được sổ với thông báo.',
  notCompared:
    'Ngày này chưa được đối chiếu với ngân hàng: sổ khớp với thông báo, nhưng chưa có sao kê đủ cả ngày để biết có khoản nào bị sót. Đọc lại sao kê, gửi tệp sao kê của ngân hàng, hoặc nhập số liệu xem trong ứng dụng.',
  emptyDay: 'Ngày này không có khoản nào trong sổ và không có sao kê, nên không có gì để đối chiếu.',
  notComparedRunbook: 'Sổ tay chốt ngày',
  rows: 'Những khoản không khớp',
  noDifference: 'Không khoản nào lệch: từng dòng sao kê có trong sổ, và mỗi khoản đã cộng đúng.',
  noDifferenceAmongOurs: 'Không khoản nào của sổ lệch với thông báo. Với sao kê thì chưa so được.',
  firstOf: (shown: number, found: string) => `${shown} trong ${found} khoản`,
  others: 'Tài khoản khác cùng ngày',
  replaced: 'Bản này đã được thay bằng bản mới hơn.',
  openLatest: 'Mở bản đang có hiệu lực',
  readAgain: 'Đọc lại sao kê',
  readAgainText:
    'Cổng hỏi nhà cung cấp danh sách của ngày này một lần nữa, nhận những khoản còn thiếu, rồi chốt lại ngày. Có thể mất đến 20 giây.',
  readDone: (found: string) => `Đã đọc lại sao kê và chốt lại ngày; khoản mới: ${found}`,
  readPartly: (failed: string) =>
    `${failed} danh sách không đọc được; số liệu ngân hàng giữ như trước và ngày này sẽ được chốt lại sau.`,
  takeFile: 'Gửi tệp sao kê',
  takeFileText:
    'Tải sao kê của tài khoản này từ ngân hàng (Excel hoặc CSV) rồi chọn tệp. Cổng nhận ra các cột và cho xem từng ngày trước khi nhận. Tệp không được giữ lại; chỉ giữ ngày, số tiền và mã tham chiếu của từng dòng.',
  statement: 'Tệp sao kê',
  statementHint: 'XLSX, XLS hoặc CSV, tối đa 4 MB.',
  reading: 'Đang đọc tệp…',
  readFailed: 'Không đọc được tệp',
  columnLabels: {
    date: 'Cột ngày',
    credit: 'Cột tiền vào',
    debit: 'Cột tiền ra',
    amount: 'Cột số tiền có dấu',
    reference: 'Cột mã tham chiếu',
    memo: 'Cột nội dung',
  } satisfies Record<StatementColumn, string>,
  noColumn: 'Không có',
  columnOption: (heading: string, value: string) => (value === '' ? heading : `${heading} (${value})`),
  untitled: (position: number) => `Cột ${position}`,
  daysOfFile: 'Các ngày trong tệp',
  noDays: 'Chưa đọc được ngày nào: hãy chọn đúng cột ngày và cột tiền.',
  fileIn: 'Tệp: vào',
  fileOut: 'Tệp: ra',
  ourIn: 'Sổ: vào',
  ourOut: 'Sổ: ra',
  unreadableRows: (count: string, rows: string) => `${count} dòng không đọc được: dòng ${rows}.`,
  fileTaken: (days: string) => `Đã đối chiếu ${days} ngày với tệp sao kê`,
  giveFigures: 'Đối chiếu bằng tay',
  giveFiguresText:
    'Nhập tổng của ngày như ứng dụng ngân hàng hoặc ví hiện ra, kèm ảnh chụp màn hình có các số đó. Nên che tên người chuyển.',
  inCountField: 'Số khoản vào',
  inField: 'Tổng tiền vào (VND)',
  outCountField: 'Số khoản ra',
  outField: 'Tổng tiền ra (VND)',
  picture: 'Ảnh chụp số liệu',
  pictureHint: 'JPG, PNG hoặc WebP, tối đa 8 MB.',
  event: 'Thông báo',
  bankRow: 'Dòng sao kê',
  ourVnd: 'Sổ ghi',
  bankVnd: 'Ngân hàng ghi',
  dueCoins: 'Phải cộng',
  kinds: {
    'not-ours': 'Ngân hàng có, sổ không có',
    'not-listed': 'Sổ có, sao kê không có',
    'other-amount': 'Cùng một khoản nhưng khác số tiền',
    untold: 'Không có thông báo đúng số tiền',
    'without-reason': 'Bị để riêng mà không có lý do',
    coins: 'TCoin đã cộng khác với tiền theo tỉ lệ',
    orders: 'Đơn hoặc sổ cái khác với khoản đã cộng',
    'open-events': 'Thông báo chưa quyết định',
  } satisfies Record<CloseRowKind, string>,
  meanings: DIFFERENCE_WORDS,
} as const

/** A day of a close as it is read. */
export const dayText = (day: string): string => formatDay(`${day}T00:00:00+07:00`)

const tones: Record<Status, BadgeTone> = {
  green: 'success',
  red: 'danger',
  'not-compared': 'note',
  empty: 'note',
}

export const CloseStatus = ({ status }: { status: Status }) => (
  <Badge tone={tones[status]}>{CLOSE_WORDS[status]}</Badge>
)
