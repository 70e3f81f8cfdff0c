import { banEnd } from '../../users.ts'
import { OPEN_MATTERS, type OpenMatter } from '../../accounts/personal-data.ts'
import { formatDay, formatNumber } from '../../format.ts'
import { describeMatter } from '../deletion-requests.ts'
import {
  type Act,
  changesOf,
  custom,
  type Fields,
  isRecord,
  rolesText,
  type Sentence,
  termsIn,
} from './audited-act.ts'
import { type Part, say } from './parts.ts'

const BANNED: Record<string, string> = { 'sign-in': 'đăng nhập', trading: 'giao dịch' }

/** Bans by the command line are of trading and name no scope. */
const scope = (act: Act) => BANNED[act.text('scope') || 'trading'] ?? 'tài khoản'

const BAN: Fields = {
  until: custom('Khóa', (until) =>
    typeof until === 'string' && !Number.isNaN(Date.parse(until))
      ? banEnd(new Date(until).toISOString())
      : 'không khóa',
  ),
}

/** The command line records the end alone, without what was before. */
const until = (act: Act) =>
  Number.isNaN(Date.parse(act.text('until'))) ? '' : ` ${banEnd(new Date(act.text('until')).toISOString())}`

const ended = (act: Act) =>
  act.number('sessions_ended') > 0 ? `, kết thúc ${act.number('sessions_ended')} phiên` : ''

const plainly = (words: (player: Part) => Part[]): Sentence => ({ say: (act) => words(act.itself()) })

/** An account is handed back to the visitor of a case. */
export const returned = (act: Act): Part[] =>
  say`trả lại tài khoản ${act.itself()} cho khách của ${act.thing('case', act.text('case_id'))}`

/** What one does with one's own account only. */
const own = (words: string): Sentence => ({ say: () => say`${words}` })

const ban: Sentence = {
  say: (act) => say`khóa ${scope(act)} của ${act.itself()}${until(act)}${ended(act)}`,
  changes: (act) => changesOf(act, BAN),
}

export const playerSentences = {
  'users.ban': ban,
  'users.ban-many': ban,
  'users.lift-ban': {
    say: (act) => say`mở khóa ${scope(act)} cho ${act.itself()}`,
    changes: (act) => changesOf(act, BAN),
  },
  'users.end-sessions': {
    say: (act) => say`kết thúc ${act.number('before.sessions')} phiên đăng nhập của ${act.itself()}`,
  },
  'users.send-reset': plainly((player) => say`gửi thư đặt lại mật khẩu cho ${player}`),
  'users.note': plainly((player) => say`ghi chú về ${player}`),
  'users.reveal-contact': plainly((player) => say`xem email và số điện thoại của ${player}`),
  'users.view-as': plainly((player) => say`xem các trang như ${player} thấy`),
  'users.remove-second-factor': plainly((player) => say`gỡ xác thực hai lớp của ${player}`),
  'users.return': { say: returned, changes: termsIn },
  'users.create-operator': plainly((player) => say`tạo tài khoản vận hành ${player} bằng dòng lệnh`),
  'users.verify-email': own('xác thực email của mình'),
  'users.change-email': own('đổi email của mình'),
  'users.change-phone': {
    say: (act) => {
      const from = act.text('taken_from') === '' ? [] : say`, số này trước đó của ${act.person('taken_from')}`
      return say`đổi số điện thoại của mình${from}`
    },
  },
  'users.lose-phone': plainly(
    (player) => say`bỏ số điện thoại của ${player}, vì tài khoản khác đã xác thực số đó`,
  ),
  'users.reset-password': { say: (act) => say`đặt lại mật khẩu của mình${ended(act)}` },
  'users.change-password': own('đổi mật khẩu của mình'),
  'users.export-own-data': own('tải dữ liệu cá nhân của mình'),
  'users.erase': {
    say: (act) => {
      const taken = act.number('balance_taken') > 0 ? `, bỏ ${act.coins('balance_taken')} còn trong ví` : ''
      return say`xóa dữ liệu cá nhân của ${act.itself()}${taken}`
    },
  },
  'second-factor.enable': own('bật xác thực hai lớp của mình'),
  'second-factor.step-up': own('nhập mã xác thực mới cho phiên vận hành'),
  'second-factor.remove': plainly((player) => say`tắt xác thực hai lớp của ${player}`),
} satisfies Record<string, Sentence>

const ROLES: Fields = { roles: custom('Vai trò', rolesText) }

/** A role by its name in the row. */
export const roleIn = (act: Act, path: string): string => `“${rolesText(act.text(path))}”`

const invited = (act: Act): Part[] =>
  act.text('invited_by') === '' ? [] : say` của ${act.person('invited_by')}`

export const staffSentences = {
  'users.import': {
    say: (act) =>
      say`chuyển ${formatNumber(act.number('accounts'))} tài khoản với ${formatNumber(act.number('coins'))} TCoin từ bảng “${act.subject.id}” của game`,
  },
  'users.grant-role': {
    say: (act) => say`giao vai trò ${roleIn(act, 'role')} cho ${act.itself()} bằng dòng lệnh`,
  },
  'users.revoke-role': {
    say: (act) => say`thu vai trò ${roleIn(act, 'role')} của ${act.itself()} bằng dòng lệnh`,
  },
  'staff.set-roles': {
    say: (act) => say`đổi vai trò của ${act.itself()}`,
    changes: (act) => changesOf(act, ROLES),
  },
  'staff.invite': {
    say: (act) => say`mời một người làm ${roleIn(act, 'role')}, lời mời đến ${act.moment('expires_at')}`,
  },
  'staff.withdraw-invite': {
    say: (act) =>
      say`thu hồi lời mời làm ${roleIn(act, 'before.role')} của ${act.person('before.invited_by')}`,
  },
  'staff.accept-invite': {
    say: (act) => say`nhận lời mời${invited(act)} vào ban vận hành`,
    changes: (act) => changesOf(act, ROLES),
  },
} satisfies Record<string, Sentence>

/** A request, as the thing its number leads to. */
const request = (act: Act): Part => act.thing('deletion_request', act.text('request_id'))

const givenUp = (act: Act) =>
  act.number('given_up') > 0 ? `, chấp nhận mất ${act.coins('given_up')} trong ví` : ''

function openMatters(act: Act): string {
  const open = act.at('open')
  if (!isRecord(open)) return ''
  const matters = OPEN_MATTERS.flatMap((matter: OpenMatter) =>
    typeof open[matter] === 'number' ? [describeMatter({ matter, count: open[matter] })] : [],
  )
  return matters.length === 0 ? '' : ` vì còn ${matters.join(', ')}`
}

export const deletionSentences = {
  'deletion-requests.ask': {
    say: (act) => say`gửi ${request(act)}, hạn trả lời ${formatDay(act.text('due_at'))}${givenUp(act)}`,
  },
  'deletion-requests.withdraw': { say: (act) => say`rút ${request(act)}` },
  'deletion-requests.carry-out': { say: (act) => say`duyệt ${request(act)} của ${act.itself()}` },
  'deletion-requests.refuse': { say: (act) => say`từ chối ${request(act)} của ${act.itself()}` },
  'deletion-requests.send-back': {
    say: (act) => say`trả lại ${request(act)} của ${act.itself()} để xem lại${openMatters(act)}`,
  },
} satisfies Record<string, Sentence>
