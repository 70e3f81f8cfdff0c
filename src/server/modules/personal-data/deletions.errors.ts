import { describeMatter } from '#contract/operator/deletion-requests.ts'
import type { OpenMatter } from '#contract/accounts/personal-data.ts'
import { conflict, Refusal } from '#server/platform/values/errors.ts'

/** How many of each matter have to be ended first; of balance and debt, how many TCoin. */
export type OpenMatters = Partial<Record<OpenMatter, number>>

/** A person cannot be erased yet. */
export class StillOpen extends Error {
  readonly matters: OpenMatters

  constructor(matters: OpenMatters) {
    super('something of this person is still open')
    this.matters = matters
  }
}

/** As answers and rows have them. */
export const listMatters = (matters: OpenMatters): { matter: OpenMatter; count: number }[] =>
  Object.entries(matters).map(([matter, count]) => ({ matter: matter as OpenMatter, count }))

/** What a player can do about it. */
const CHOICES: Record<OpenMatter, string> = {
  role: 'nhờ chủ cổng thu hồi vai trò trước',
  balance: 'đổi lượng, mua quà, chuyển cho người khác, hoặc đánh dấu đồng ý bỏ số TCoin này',
  debt: 'nạp TCoin để trả hết nợ',
  order: 'hủy đơn, hoặc đợi đơn hết hạn',
  delivery: 'đợi giao xong',
  claim: 'đợi đội vận hành trả lời',
  'bank-transfer': 'đợi đội vận hành xử lý',
  refund: 'đợi MoMo trả lời',
  proposal: 'đợi đội vận hành duyệt',
  'tournament-fee': 'đợi game thu hoặc trả lại xong',
}

const listed = (matters: OpenMatters) => Object.entries(matters) as [OpenMatter, number][]

/** One sentence for each open matter: what it is, and what the player can do. */
export const choicesAbout = (matters: OpenMatters): string[] =>
  listed(matters).map(([matter, count]) => `Còn ${describeMatter({ matter, count })}: ${CHOICES[matter]}`)

/** To the player. */
export const notYetAskable = (matters: OpenMatters) =>
  new Refusal('CONFLICT', {
    message: `Chưa thể yêu cầu xóa tài khoản. ${choicesAbout(matters).join('. ')}`,
    errors: Object.fromEntries(
      listed(matters).map(([matter], index) => [matter, [choicesAbout(matters)[index] ?? '']]),
    ),
  })

export const alreadyAsked = () => conflict('Bạn đã có một yêu cầu xóa tài khoản đang chờ')

export const nothingToWithdraw = () =>
  conflict('Không có yêu cầu nào rút lại được: yêu cầu đã xong, hoặc đang được thực hiện')

/** To the operator. */
export const notYetErasable = (matters: OpenMatters) =>
  conflict(
    `Chưa thể xóa tài khoản này: còn ${listed(matters)
      .map(([matter, count]) => describeMatter({ matter, count }))
      .join(', ')}`,
  )

export const alreadyDecided = () => conflict('Yêu cầu này không còn chờ, vui lòng tải lại trang')
