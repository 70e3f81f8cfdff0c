import { ACT_GUARDS, type OperatorAct } from './act-guards.ts'
import { AUDIT_ACTIONS, isAuditAction, type AuditAction } from './audit-sentences.ts'
import { exportNames, listWords } from './audit-sentences/running.ts'
import { THING_WORDS } from './words.ts'

/** What the trail records beside acts of operators: what players, the portal and its command line do. */
const OTHER_NAMES: Record<Exclude<AuditAction, OperatorAct>, string> = {
  'bank-transfers.propose': 'Đề xuất về khoản chuyển',
  'bank-transfers.refund-at-gateway-done': 'MoMo đã hoàn tiền',
  'bank-transfers.refund-at-gateway-failed': 'MoMo không hoàn được tiền',
  'planned-prices.start': 'Đổi giá theo lịch',
  'planned-prices.return': 'Đưa giá về theo lịch',
  'planned-prices.give-up': 'Bỏ qua lịch đổi giá',
  'proposals.propose': 'Đề xuất',
  'proposals.take-effect': 'Đề xuất có hiệu lực',
  'proposals.outdate': 'Đề xuất quá hạn',
  'pictures.update': 'Tải lại ảnh đã có',
  'users.create-operator': 'Tạo tài khoản vận hành',
  'users.grant-role': 'Giao vai trò bằng dòng lệnh',
  'users.revoke-role': 'Thu vai trò bằng dòng lệnh',
  'users.verify-email': 'Xác thực email',
  'users.change-email': 'Đổi email',
  'users.change-phone': 'Đổi số điện thoại',
  'users.lose-phone': 'Mất số điện thoại',
  'users.reset-password': 'Đặt lại mật khẩu',
  'users.change-password': 'Đổi mật khẩu',
  'users.export-own-data': 'Tải dữ liệu cá nhân',
  'users.erase': 'Xóa dữ liệu cá nhân',
  'second-factor.enable': 'Bật xác thực hai lớp',
  'second-factor.step-up': 'Nhập mã xác thực mới',
  'second-factor.remove': 'Tắt xác thực hai lớp',
  'staff.accept-invite': 'Nhận lời mời',
  'deletion-requests.ask': 'Yêu cầu xóa tài khoản',
  'deletion-requests.withdraw': 'Rút yêu cầu xóa tài khoản',
  'deletion-requests.send-back': 'Trả lại yêu cầu xóa tài khoản',
  'demo-world.make': 'Tạo dữ liệu mẫu',
  ...exportNames,
}

const nameOf = (action: AuditAction): string =>
  action in ACT_GUARDS
    ? ACT_GUARDS[action as OperatorAct].name
    : OTHER_NAMES[action as keyof typeof OTHER_NAMES]

/** The name of an action of the audit trail; of one that this program does not know its code. */
export const auditActionName = (action: string): string => (isAuditAction(action) ? nameOf(action) : action)

const SUBJECT_WORDS: Readonly<Record<string, string>> = { ...THING_WORDS, ...listWords }

/** What a kind of subject is called. */
export const auditSubjectName = (type: string): string => SUBJECT_WORDS[type] ?? type

export const auditSubjectOptions = (): { value: string; label: string }[] =>
  Object.entries(SUBJECT_WORDS).map(([value, label]) => ({ value, label }))

/** To choose one, in the order of the alphabet. */
export const auditActionOptions = (): { value: AuditAction; label: string }[] =>
  AUDIT_ACTIONS.map((value) => ({ value, label: nameOf(value) })).toSorted((one, other) =>
    one.label.localeCompare(other.label, 'vi'),
  )
