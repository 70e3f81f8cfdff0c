import { formatMoment, formatNumber } from '#contract/format.ts'
import { CASE_MESSAGES_MAX, type CaseState } from '#contract/help/case-forms.ts'
import type { Sameness } from '#contract/operator/help/account-returns.ts'
import { COSTS_NOTHING, type ProposalTerms } from '#contract/operator/proposal-terms.ts'
import { GAME_CONTACT_WORDS, UNPROVED_CONTACT_WORDS } from '#contract/operator/words.ts'

/** Which account the visitor of which case says is theirs. */
export type Claim = { userId: string; caseId: string }

/** A contact that somebody has proved who is not signed in. */
export type Visitor = { channel: 'phone' | 'email'; contact: string }

/** What the portal knows of an account and of the visitor who says it is theirs. */
export type KnownOfAccount = Claim & {
  username: string
  serverId: string
  isErased: boolean
  email: string | null
  isEmailVerified: boolean
  phone: string | null
  isPhoneVerified: boolean
  /** What came over from the game. */
  hint: { phone: string | null; email: string | null } | null
  /** Null: the case is a player's, or is no more. */
  visitor: Visitor | null
  caseState: CaseState | null
  caseMessages: number
  /** The visitor's contact is a proved one of another account. */
  isContactOfOther: boolean
  createdAt: Date
  importedAt: Date | null
  hasSecondFactor: boolean
  lastSignInAt: Date | null
  balance: number
  lastRechargeAt: Date | null
  rechargesLastMonth: number
  characters: number
  /** When the game told of the characters. */
  charactersAt: Date | null
}

const CONTACT_WORDS = { phone: 'Số điện thoại', email: 'Email' } as const

const FORGOT = 'ở mục “Quên mật khẩu”'

/** Why an account cannot be handed back to this visitor, for operators; null: it can. */
export function whyNotReturned(known: KnownOfAccount, { isStaff }: { isStaff: boolean }): string | null {
  const { visitor, caseState, caseMessages } = known
  if (visitor === null) return 'Yêu cầu này không phải của khách chưa đăng nhập'
  if (caseState === 'closed') return 'Yêu cầu này đã đóng, hãy mở lại trước khi trả lại tài khoản'
  if (caseMessages >= CASE_MESSAGES_MAX)
    return `Yêu cầu này đã đủ ${CASE_MESSAGES_MAX} tin nhắn, khách cần gửi một yêu cầu mới`
  if (known.isErased) return 'Tài khoản này đã bị xóa'
  if (isStaff)
    return 'Tài khoản này của ban vận hành, hoặc còn quyền bác đề xuất trong 7 ngày, nên không trả lại từ đây'
  if (known.isPhoneVerified)
    return `Tài khoản này đã xác minh số điện thoại: chủ tài khoản tự đặt lại mật khẩu bằng mã OTP của số đó ${FORGOT}`
  if (known.isEmailVerified)
    return `Tài khoản này đã xác minh email: chủ tài khoản tự đặt lại mật khẩu bằng thư gửi đến email đó ${FORGOT}`
  if (known.isContactOfOther)
    return `${CONTACT_WORDS[visitor.channel]} của khách đã được xác minh cho một tài khoản khác: khách cần gửi yêu cầu bằng liên hệ khác`
  return null
}

type Contacts = { phone: string | null; email: string | null } | null

/** Whether a visitor's contact is one of these; only that of the same kind can be compared. */
export function sameness(visitor: Visitor | null, contacts: Contacts): Sameness {
  if (contacts === null || (contacts.phone === null && contacts.email === null)) return 'none'
  if (visitor === null) return 'other'
  return contacts[visitor.channel]?.toLowerCase() === visitor.contact ? 'same' : 'other'
}

/** The unproved contacts of the account. */
export const unprovedOf = ({ phone, isPhoneVerified, email, isEmailVerified }: KnownOfAccount): Contacts => ({
  phone: isPhoneVerified ? null : phone,
  email: isEmailVerified ? null : email,
})

/** What handing an account back does, and what speaks for and against it. It names no person: letters have it. */
export function termsOfReturn(known: KnownOfAccount): ProposalTerms {
  const { visitor, importedAt, lastSignInAt } = known
  const contact = visitor === null ? 'Liên hệ' : CONTACT_WORDS[visitor.channel]
  const fact = (label: string, after: string) => ({ label, before: null, after })
  return {
    lines: [
      {
        label: 'Liên hệ đã xác minh của tài khoản',
        before: 'Chưa có',
        after: `${contact} mà khách đã xác minh ở yêu cầu hỗ trợ số ${known.caseId}`,
      },
      fact('Liên hệ game ghi', GAME_CONTACT_WORDS[sameness(visitor, known.hint)]),
      fact(
        'Liên hệ chưa xác minh của tài khoản',
        UNPROVED_CONTACT_WORDS[sameness(visitor, unprovedOf(known))],
      ),
      fact(
        'Nhân vật trong game',
        known.charactersAt === null ? 'Game chưa cho biết' : formatNumber(known.characters),
      ),
      fact(
        'Đăng nhập gần nhất',
        lastSignInAt === null ? 'Không có trong 90 ngày qua' : formatMoment(lastSignInAt.toISOString()),
      ),
      importedAt === null
        ? fact('Đăng ký lúc', formatMoment(known.createdAt.toISOString()))
        : fact('Chuyển sang từ game lúc', formatMoment(importedAt.toISOString())),
      fact('Xác thực hai lớp', known.hasSecondFactor ? 'Đang bật, vẫn giữ nguyên' : 'Không bật'),
      fact('Số dư của người chơi', `${formatNumber(known.balance)} TCoin`),
    ],
    worst: `${COSTS_NOTHING}; sau đó khách vào được tài khoản này và dùng được số dư của nó`,
  }
}

/** What the visitor reads: what happened, and how to set a password. */
export function answerToVisitor(
  { username, hasSecondFactor }: Pick<KnownOfAccount, 'username' | 'hasSecondFactor'>,
  { channel, linkMinutes }: { channel: Visitor['channel']; linkMinutes: number },
): string {
  const how =
    channel === 'email'
      ? `Email này nay là email của tài khoản. Thư để đặt mật khẩu mới vừa được gửi đến email này và dùng được trong ${linkMinutes} phút; nếu đã quá giờ, bạn chọn “Quên mật khẩu” ở trang đăng nhập, rồi nhập tên đăng nhập ${username} và email này để nhận thư khác.`
      : `Số điện thoại này nay là số của tài khoản. Để đặt mật khẩu mới, bạn chọn “Quên mật khẩu” ở trang đăng nhập, chọn “Điện thoại”, nhập tên đăng nhập ${username} và số điện thoại này, rồi lấy mã OTP như trang hướng dẫn.`
  return [
    `Ban quản trị đã trả lại tài khoản ${username} cho bạn. ${how}`,
    'Mọi thiết bị đang dùng tài khoản đã được đăng xuất.',
    ...(hasSecondFactor
      ? ['Tài khoản vẫn bật xác thực hai lớp: bạn cần mã trong ứng dụng hoặc một mã khôi phục.']
      : []),
  ].join(' ')
}
