import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { dayText, idText, moment } from '../fields.ts'
import { growingListQuery, person, storable } from './fields.ts'
import { trailFaultSchema } from './alarms.ts'
import { ACT_GUARDS, type OperatorAct } from './act-guards.ts'
import { AUDIT_ACTIONS, type AuditAction, isAuditAction } from './audit-sentences/sentences.ts'
import { describedActSchema } from './audit-sentences/parts.ts'
import { exportNames, listWords } from './audit-sentences/running.ts'
import { permitted } from './roles.ts'
import { THING_WORDS } from './words.ts'

const nameFilter = z.string().check(z.trim(), z.minLength(1), z.maxLength(100), storable)

/** One row of the audit trail, without what names a person. */
export const auditRowSchema = z.extend(describedActSchema, {
  id: idText,
  at: moment,
  actor_kind: z.enum(['system', 'user', 'operator']),
  /** Null for the portal itself. */
  actor: z.nullable(person),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.string() }),
  reason: z.nullable(z.string()),
  /** Business values; those that were changed as `before` and `after`. */
  details: z.record(z.string(), z.unknown()),
  request_id: z.nullable(z.string()),
})

export type AuditRow = z.output<typeof auditRowSchema>

const READERS = permitted('audit.read')

export const operatorAudit = {
  list: endpoint('GET', '/operator/audit', READERS, {
    summary:
      'The audit trail. `actor` is a username, `from` and `to` are days in Vietnam, both included. At most 10,000 are counted.',
    query: growingListQuery(['id'], {
      actor: z.optional(nameFilter),
      action: z.optional(nameFilter),
      subject_type: z.optional(nameFilter),
      subject_id: z.optional(nameFilter),
      request_id: z.optional(nameFilter),
      from: z.optional(dayText),
      to: z.optional(dayText),
    }),
    answer: z.array(auditRowSchema),
  }),
  verify: endpoint('GET', '/operator/audit/verify', READERS, {
    summary:
      'Reads what the daily check has not read yet, or the whole trail when the last one found something, and answers how many rows that were and which do not fit the chain; at most 100 are named. The alarm says what it found.',
    answer: z.object({
      rows: z.int(),
      checked_at: moment,
      /** When the whole trail was last read; null when it was now. */
      whole_at: z.nullable(moment),
      faults: z.array(trailFaultSchema),
    }),
  }),
}

/** What the trail records beside acts of operators: what players, the portal and its command line do. */
const OTHER_NAMES: Record<Exclude<AuditAction, OperatorAct>, string> = {
  'bank-transfers.propose': 'Đề xuất về khoản chuyển',
  'bank-transfers.refund-at-gateway-done': 'MoMo đã hoàn tiền',
  'bank-transfers.refund-at-gateway-failed': 'MoMo không hoàn được tiền',
  'planned-prices.start': 'Đổi giá theo lịch',
  'planned-prices.return': 'Đưa giá về theo lịch',
  'planned-prices.give-up': 'Bỏ qua lịch đổi giá',
  'proposals.propose': 'Đề xuất',
  'proposals.agree': 'Đồng ý với đề xuất',
  'proposals.take-effect': 'Đề xuất có hiệu lực',
  'proposals.outdate': 'Đề xuất quá hạn',
  'pictures.update': 'Tải lại ảnh đã có',
  'tournaments.freeze': 'Chốt danh sách bốc thăm',
  'users.create-operator': 'Tạo tài khoản vận hành',
  'users.import': 'Chuyển tài khoản từ game sang',
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
  'game-accounts.change': 'Game đổi việc giữ tài khoản',
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
  AUDIT_ACTIONS.map((value) => ({ value, label: nameOf(value) })).sort((one, other) =>
    one.label.localeCompare(other.label, 'vi'),
  )

/** What operators did on one day with money, prices, accounts, limits and roles; in words, by operator. */
const operatorDigestSchema = z.object({
  /** In Vietnam, `2026-11-24`. */
  day: z.string(),
  operators: z.array(
    z.object({
      /** Null: the portal itself or its command line. */
      operator: z.nullable(person),
      lines: z.array(z.string()),
    }),
  ),
})

export type OperatorDigest = z.output<typeof operatorDigestSchema>

export const operatorDigestCall = endpoint('GET', '/operator/digest', permitted('audit.read'), {
  summary:
    'What operators did on a day in Vietnam with money, prices, receiving accounts, limits and roles, by operator; today when no day is named. Owners get it of each day by mail.',
  query: z.object({
    day: z.optional(dayText),
  }),
  answer: operatorDigestSchema,
})
