import { BAN_FOREVER, banEnd } from '../../users.ts'
import { MAINTENANCE_SECTIONS } from '../maintenance.ts'
import { formatSpan } from '../../format.ts'
import { settingText } from '../settings.ts'
import { SECTION_WORDS } from '../words.ts'
import { type Act, changeOf, custom, isRecord, rolesText, type Sentence, termsIn } from './audited-act.ts'
import { adjusted, funded, givenAgain } from './money.ts'
import { type Change, type Part, say } from './parts.ts'
import { returned, roleIn } from './people.ts'

const settingChange = (act: Act): Change[] => [
  {
    label: '',
    before: settingText(act.subject.id, act.text('before')),
    after: settingText(act.subject.id, act.text('after')),
  },
]

/** When a planned price comes, and goes back. */
const plannedTime = (act: Act): string => formatSpan(act.text('starts_at'), act.text('ends_at') || null)

/** What was proposed. */
function proposed(act: Act): Part[] {
  switch (act.subject.type) {
    case 'setting':
      return say`đổi cài đặt ${act.itself()}`
    case 'planned-price':
      return say`hẹn đổi cài đặt ${act.itself()} ${plannedTime(act)}`
    case 'adjustment':
      return adjusted(act.number('after'), act.itself())
    case 'second-factor':
      return say`gỡ xác thực hai lớp của ${act.itself()}`
    case 'account-return':
      return returned(act)
    case 'roles':
      return say`đổi vai trò của ${act.itself()}`
    case 'invite':
      return say`mời một người làm ${roleIn(act, 'after')}`
    case 'give-again':
      return givenAgain(act)
    case 'promotion':
    case 'milestones':
    case 'gift-codes':
      return say`chạy ${act.itself()}`
    case 'budget':
      return funded(act.number('after'), act.itself())
    default:
      return say`thay đổi ${act.itself()}`
  }
}

const proposal = (words: (act: Act) => Part[]): Sentence => ({
  say: words,
  changes: (act) => {
    const terms = termsIn(act)
    if (terms.length > 0) return terms
    if (act.subject.type === 'setting' || act.subject.type === 'planned-price') return settingChange(act)
    return act.subject.type === 'roles' ? changeOf(act, custom('Vai trò', rolesText)) : []
  },
})

const proposer = (act: Act): Part => act.person('proposed_by')

/** A closed section until when and with what players read; nothing while it is open. */
function closureText(closure: unknown): string {
  if (!isRecord(closure)) return 'đang mở'
  const { until, message } = closure
  const end = typeof until === 'string' ? banEnd(until) : 'đến khi mở lại'
  return `đóng ${until === BAN_FOREVER ? 'đến khi mở lại' : end}: “${String(message)}”`
}

const changedSections = (act: Act) => {
  const named = act.subject.id.split(',')
  return MAINTENANCE_SECTIONS.filter((section) => named.includes(section))
}

const sectionNames = (act: Act, isClosed: boolean) =>
  changedSections(act)
    .filter((section) => isRecord(act.at(`after.${section}`)) === isClosed)
    .map((section) => SECTION_WORDS[section])
    .join(', ')

const running = {
  'settings.update': { say: (act) => say`đổi cài đặt ${act.itself()}`, changes: settingChange },
  'maintenance.update': {
    say: (act) => {
      const [closed, open] = [sectionNames(act, true), sectionNames(act, false)]
      const parts = [closed && `đóng để bảo trì: ${closed}`, open && `mở lại: ${open}`].filter(Boolean)
      return say`${{ text: parts.join('; ') || 'xem lại phần bảo trì', thing: act.subject }}`
    },
    changes: (act) =>
      changedSections(act).map((section) => ({
        label: SECTION_WORDS[section],
        before: closureText(act.at(`before.${section}`)),
        after: closureText(act.at(`after.${section}`)),
      })),
  },
  'planned-prices.plan': {
    say: (act) => say`hẹn đổi cài đặt ${act.itself()} ${plannedTime(act)}`,
    changes: settingChange,
  },
  'planned-prices.cancel': {
    say: (act) => say`hủy lịch đổi cài đặt ${act.itself()} ${plannedTime(act)}`,
    changes: settingChange,
  },
  'planned-prices.start': {
    say: (act) => say`đổi cài đặt ${act.itself()} theo lịch`,
    changes: settingChange,
  },
  'planned-prices.return': {
    say: (act) => say`đưa cài đặt ${act.itself()} về giá trị trước theo lịch`,
    changes: settingChange,
  },
  'planned-prices.give-up': {
    say: (act) =>
      act.text('state') === 'not-applied'
        ? say`bỏ qua lịch đổi cài đặt ${act.itself()}: giá đã được đổi khác hoặc thời gian đã qua`
        : say`không đưa cài đặt ${act.itself()} về giá trị trước: giá đã được đổi khác trong thời gian hẹn`,
  },
  'proposals.propose': proposal((act) => say`đề xuất ${proposed(act)}, chờ người thứ hai duyệt`),
  'proposals.approve': proposal((act) => say`duyệt đề xuất của ${proposer(act)}: ${proposed(act)}`),
  'proposals.agree': proposal(
    (act) => say`đồng ý với đề xuất của ${proposer(act)}, còn chờ người khác: ${proposed(act)}`,
  ),
  'proposals.reject': proposal((act) => say`bác đề xuất của ${proposer(act)}: ${proposed(act)}`),
  'proposals.withdraw': proposal((act) => say`rút đề xuất ${proposed(act)}`),
  'proposals.take-effect': proposal(
    (act) => say`thực hiện đề xuất của ${proposer(act)} sau thời gian chờ: ${proposed(act)}`,
  ),
  'proposals.outdate': proposal(
    (act) => say`đóng đề xuất không còn thực hiện được của ${proposer(act)}: ${proposed(act)}`,
  ),
  'game-accounts.change': {
    say: (act) =>
      act.at('after') === true
        ? say`ghi nhận game nay giữ tài khoản: tên của game được giữ lại cho người chơi của game`
        : say`ghi nhận game nay không giữ tài khoản: ai cũng đăng ký được tên của game`,
  },
  'demo-world.make': { say: ({ subject }) => say`tạo phần “${subject.id}” của dữ liệu mẫu` },
} satisfies Record<string, Sentence>

export const runningSentences: Record<keyof typeof running, Sentence> = running

const EXPORTS = {
  users: 'người chơi',
  posts: 'bài viết',
  tournaments: 'giải đấu',
  'recharge-orders': 'đơn nạp',
  'bank-transfers': 'khoản chuyển',
  'payment-events': 'thông báo tiền vào',
  'gateway-refunds': 'hoàn tiền qua MoMo',
  'daily-closes': 'chốt ngày',
  'ledger-transfers': 'sổ cái',
  statistics: 'số liệu theo kỳ',
  'campaign-reports': 'báo cáo chiến dịch',
  deliveries: 'lượt giao',
  'missing-deliveries': 'món game đã mất',
  audit: 'nhật ký vận hành',
  'game-names': 'tên trong game',
} as const

/** A list that operators may download. */
export type ExportedList = keyof typeof EXPORTS

/** A list as the subject of its download. */
export const listWords: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(EXPORTS).map(([list, name]) => [list, `Danh sách ${name}`]),
)

export const exportNames = Object.fromEntries(
  Object.entries(EXPORTS).map(([list, name]) => [`${list}.export`, `Tải tệp ${name}`]),
) as Record<`${ExportedList}.export`, string>

const isFiltered = (act: Act) => {
  const filter = act.at('filter')
  return isRecord(filter) && Object.keys(filter).length > 0
}

export const exportSentences = Object.fromEntries(
  Object.entries(EXPORTS).map(([list, name]) => [
    `${list}.export`,
    { say: (act: Act) => say`tải tệp CSV danh sách ${name}${isFiltered(act) ? ' đã lọc' : ''}` },
  ]),
) as Record<`${ExportedList}.export`, Sentence>
