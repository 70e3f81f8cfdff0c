import { formatNumber, formatSpan } from '#contract/format.ts'
import { ACT_GUARDS, type ActGuard } from '#contract/operator/act-guards.ts'
import { auditActionName } from '#contract/operator/audit.ts'
import { AUDIT_ACTIONS } from '#contract/operator/audit-sentences/sentences.ts'
import type { Role } from '#contract/operator/roles.ts'
import {
  isGuardedSetting,
  settingDefinitions,
  type SettingKey,
  settingText,
} from '#contract/operator/settings.ts'
import { storedTerms, termsInWords } from '#contract/operator/proposal-terms.ts'
import { ROLE_WORDS } from '#contract/operator/words.ts'

/** One act of the audit trail. */
export type DigestRow = {
  actorId: string | null
  username: string | null
  action: string
  subjectType: string
  subjectId: string
  /** Whose roles they are, or which campaign. */
  subjectName: string | null
  details: Record<string, unknown>
}

const CREDITS = ['bank-transfers.match', 'bank-transfers.credit']
const REVERSALS = ['bank-transfers.reverse-credit', 'bank-transfers.link-reversal']
const DECIDED = ['proposals.approve', 'proposals.take-effect']
const PLANNED = [
  'planned-prices.plan',
  'planned-prices.cancel',
  'planned-prices.start',
  'planned-prices.return',
]
/** Verbs and kinds of what runs campaigns. */
const CAMPAIGNS: Record<string, { name: string; acts: readonly [start: string, stop: string] }> = {
  promotion: { name: 'khuyến mãi', acts: ['promotions.start', 'promotions.stop'] },
  milestones: { name: 'mốc nạp', acts: ['milestones.start', 'milestones.stop'] },
  'gift-codes': { name: 'đợt mã quà', acts: ['gift-codes.start', 'gift-codes.stop'] },
}
const ROLES_CHANGED = ['staff.set-roles', 'staff.accept-invite', 'users.grant-role', 'users.revoke-role']

/** The acts that a digest tells of one by one or by their sums: money, prices, accounts, limits and who decides. */
export const DIGEST_ACTIONS: readonly string[] = [
  ...CREDITS,
  ...REVERSALS,
  ...DECIDED,
  ...PLANNED,
  ...Object.values(CAMPAIGNS).flatMap(({ acts }) => acts),
  ...ROLES_CHANGED,
  'bank-transfers.approve',
  'bank-transfers.refund',
  'bank-transfers.refund-at-gateway',
  'budgets.fund',
  'deliveries.refund',
  'users.adjust',
  'settings.update',
  'staff.invite',
]

/** The acts that it counts only: the others of which owners hear by it, as their rows declare, and files taken out. */
export const COUNTED_ACTIONS: readonly string[] = [
  ...Object.entries<ActGuard>(ACT_GUARDS).flatMap(([action, { seen }]) => (seen === 'digest' ? action : [])),
  ...AUDIT_ACTIONS.filter((action) => action.endsWith('.export')),
].filter((action) => !DIGEST_ACTIONS.includes(action))

/** How often somebody did something. */
export type ActCount = { actorId: string | null; username: string | null; action: string; count: number }

const countLine = ({ action, count }: Pick<ActCount, 'action' | 'count'>): string =>
  `${auditActionName(action)}: ${formatNumber(count)} lần`

const LINES_MAX = 30

const textOf = (value: unknown): string =>
  typeof value === 'string' && value !== ''
    ? value
    : value === undefined || value === ''
      ? '(trống)'
      : JSON.stringify(value)

/** Roles as the console calls them: one, several with commas between them, or a list. */
function rolesText(value: unknown): string {
  const roles = Array.isArray(value)
    ? (value as unknown[])
    : typeof value === 'string'
      ? value.split(/,\s*/)
      : []
  return textOf(roles.map((role) => ROLE_WORDS[role as Role] ?? role).join(', '))
}

/** Sums by what was done; each sum is one line. */
const SUMS: Record<string, (count: number, amount: number) => string> = {
  credit: (count, coins) => `Cộng ${count} khoản chuyển: ${formatNumber(coins)} TCoin`,
  reversal: (count, coins) => `Thu hồi ${count} khoản đã cộng: ${formatNumber(coins)} TCoin`,
  raise: (count, coins) => `Điều chỉnh tăng ${count} lần: ${formatNumber(coins)} TCoin`,
  lower: (count, coins) => `Điều chỉnh giảm ${count} lần: ${formatNumber(coins)} TCoin`,
  gateway: (count, vnd) => `Hoàn qua MoMo ${count} lần: ${formatNumber(vnd)} đ`,
  byHand: (count) => `Ghi nhận ${count} khoản đã hoàn bằng tay`,
  delivery: (count, coins) => `Hoàn ${count} lần giao: ${formatNumber(coins)} TCoin`,
  funded: (count, coins) => `Cấp cho ngân sách ${count} lần: ${formatNumber(coins)} TCoin`,
  takenBack: (count, coins) => `Rút khỏi ngân sách ${count} lần: ${formatNumber(coins)} TCoin`,
}

/** Which sum an act belongs to, and with how much; undefined for one that has a line of its own. */
function sumOf({ action, subjectType, details }: DigestRow): readonly [string, number] | undefined {
  const coins = Number(details['coins'] ?? 0)
  if (action === 'bank-transfers.approve' && details['proposed'] === 'refund-at-gateway')
    return ['gateway', Number(details['amount'])]
  if (action === 'bank-transfers.approve')
    return [details['proposed'] === 'reverse-credit' ? 'reversal' : 'credit', coins]
  if (CREDITS.includes(action)) return ['credit', coins]
  if (REVERSALS.includes(action)) return ['reversal', coins]
  if (action === 'bank-transfers.refund') return ['byHand', 0]
  if (action === 'bank-transfers.refund-at-gateway') return ['gateway', Number(details['amount'])]
  if (action === 'deliveries.refund') return ['delivery', Number(details['amount'])]
  const isDecided = DECIDED.includes(action)
  const amount = Number(isDecided ? details['after'] : details['amount'])
  if (action === 'users.adjust' || (isDecided && subjectType === 'adjustment'))
    return [amount > 0 ? 'raise' : 'lower', Math.abs(amount)]
  if (subjectType === 'budget') return [amount > 0 ? 'funded' : 'takenBack', Math.abs(amount)]
  return undefined
}

/** What a line says in full without its terms, but for what it costs. */
const TOLD_WHOLE = ['setting', 'planned-price', 'roles', 'invite']

/** A change that has its own line, with its terms; undefined for what a digest leaves out. */
function changeOf(row: DigestRow): string | undefined {
  const change = changeIn(row)
  const terms = storedTerms(row.details['terms'])
  if (change === undefined || terms === null) return change
  const isInChange = TOLD_WHOLE.includes(row.subjectType)
  return `${change}: ${termsInWords(isInChange ? { ...terms, lines: [] } : terms).join('; ')}`
}

function changeIn({ action, subjectType, subjectId, subjectName, details }: DigestRow): string | undefined {
  const [before, after] = [details['before'], details['after']]
  if (subjectType === 'setting')
    return isGuardedSetting(subjectId)
      ? `Đổi “${settingDefinitions[subjectId as SettingKey].label}”: ${settingText(subjectId, String(before))} → ${settingText(subjectId, String(after))}`
      : undefined
  if (subjectType === 'planned-price') {
    const done = action === 'planned-prices.cancel' ? 'Hủy lịch đổi' : 'Hẹn đổi'
    const { starts_at, ends_at } = details as { starts_at: string; ends_at: string | null }
    const { label } = settingDefinitions[subjectId as SettingKey]
    return `${done} “${label}” ${formatSpan(starts_at, ends_at)}: ${textOf(before)} → ${textOf(after)}`
  }
  const name = subjectName ?? subjectId
  const campaign = CAMPAIGNS[subjectType]
  if (campaign) return `${campaign.acts[1] === action ? 'Dừng' : 'Chạy'} ${campaign.name} “${name}”`
  if (subjectType === 'give-again') return 'Giao lại món game đã mất'
  if (subjectType === 'roles') return `Vai trò của ${name}: ${rolesText(before)} → ${rolesText(after)}`
  if (subjectType === 'invite') return `Lời mời có hiệu lực: ${rolesText(after)}`
  if (subjectType === 'second-factor') return 'Gỡ xác thực hai lớp của một người chơi'
  if (subjectType === 'account-return') return 'Trả lại tài khoản của một người chơi cho khách nhờ hỗ trợ'
  if (action === 'staff.invite') return `Mời người làm ${rolesText(details['role'])}`
  if (action === 'users.grant-role') return `Giao vai trò ${rolesText(details['role'])} cho ${name}`
  if (action === 'users.revoke-role') return `Thu vai trò ${rolesText(details['role'])} của ${name}`
  const roles = (state: unknown) => rolesText((state as { roles?: string[] } | undefined)?.roles)
  return ROLES_CHANGED.includes(action)
    ? `Vai trò của ${name}: ${roles(before)} → ${roles(after)}`
    : undefined
}

/**
 * The acts of one operator in words: sums first, then each change, then the numbers of what is only counted. Where fewer
 * rows were read than there are, all numbers stand before them.
 */
export function digestLines(rows: readonly DigestRow[], counts: readonly ActCount[]): string[] {
  const told = counts.filter(({ action }) => DIGEST_ACTIONS.includes(action))
  const all = told.reduce((sum, { count }) => sum + count, 0)
  const sums = Object.entries(SUMS).flatMap(([kind, line]) => {
    const amounts = rows.flatMap((row) => {
      const sum = sumOf(row)
      return sum?.[0] === kind ? [sum[1]] : []
    })
    return amounts.length === 0
      ? []
      : [
          line(
            amounts.length,
            amounts.reduce((one, other) => one + other, 0),
          ),
        ]
  })
  const changes = rows.flatMap((row) => (sumOf(row) === undefined ? (changeOf(row) ?? []) : []))
  const more = changes.length - LINES_MAX
  return [
    ...(all > rows.length
      ? [
          `Quá nhiều việc để đọc hết: chỉ ${formatNumber(rows.length)} việc đầu trong ngày được cộng và nêu ở dưới. Đủ cả ngày:`,
          ...told.map(countLine),
        ]
      : []),
    ...sums,
    ...changes.slice(0, LINES_MAX),
    ...(more > 0 ? [`… và ${more} thay đổi khác trong nhật ký vận hành`] : []),
    ...counts.filter(({ action }) => !DIGEST_ACTIONS.includes(action)).map(countLine),
  ]
}
