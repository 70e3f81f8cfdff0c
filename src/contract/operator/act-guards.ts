import type { Endpoint } from '../endpoint.ts'
import {
  operatorBankTransfers,
  operatorPaymentEvents,
  settleDebtCall,
  severalBankTransfers,
} from './bank-transfers.ts'
import { operatorDailyCloses, operatorReconciliation } from './daily-closes.ts'
import { operatorDeletions } from './deletion-requests.ts'
import { operatorDeliveries } from './deliveries.ts'
import { operatorGameComparison, operatorMissingDeliveries } from './game/comparison.ts'
import { operatorGameNames } from './game/names.ts'
import { operatorGroups } from './groups.ts'
import { operatorAnswerTemplates, operatorCases } from './help/cases.ts'
import { operatorLegal } from './legal.ts'
import { operatorMaintenance } from './maintenance.ts'
import { operatorCategories, operatorPictures, operatorPosts } from './posts.ts'
import { operatorBudgets, operatorMilestones, operatorPromotions } from './promotions.ts'
import { operatorGiftCodes } from './rewards/gift-codes.ts'
import { operatorPlannedPrices, operatorSettings } from './setting-calls.ts'
import { operatorProposals } from './proposals.ts'
import { operatorClaims, operatorRechargeOrders } from './recharge.ts'
import { operatorInvitations } from './rewards/invitations.ts'
import { operatorServers } from './servers.ts'
import { isGuardedSetting } from './settings.ts'
import { operatorStaff } from './staff.ts'
import { operatorTournaments } from './tournaments.ts'
import { operatorUserActs, viewAsCall } from './users.ts'

/** A ban that lasts longer, or has no end, takes a fresh proof. */
const SHORT_BAN_HOURS = 24

type Body = Readonly<Record<string, unknown>>

/** When an act takes a second-factor proof of the last five minutes. */
export const PROOF_RULES = {
  never: () => false,
  always: () => true,
  'guarded-setting': ({ values }: Body) => Object.keys(values as object).some(isGuardedSetting),
  'long-ban': ({ until }: Body, now: Date) =>
    typeof until !== 'string' || Date.parse(until) - now.getTime() > SHORT_BAN_HOURS * 3_600_000,
} as const satisfies Record<string, (body: Body, now: Date) => boolean>

type ProofRule = keyof typeof PROOF_RULES

/** When an act waits for a second person. The act itself finds out: most of this depends on what is stored. */
type SecondPersonRule = 'never' | 'always' | 'above-limit' | 'guarded-setting' | 'approving-role'

export type ActGuard = {
  /** Its `access` is the permission of the act. */
  endpoint: Endpoint
  /** For the operators who read the table. */
  name: string
  proof: ProofRule
  secondPerson: SecondPersonRule
  /** The setting that limits the sum of one operator's and of one player's acts in 24 hours. */
  limit: 'manual_credit_limit' | null
  /** It acts on an account: on an operator's it takes the right to manage operators besides. */
  isOnAccount: boolean
}

const UNGUARDED = { proof: 'never', secondPerson: 'never', limit: null, isOnAccount: false } as const

type Rules = Partial<Omit<ActGuard, 'endpoint' | 'name'>>

/* @__NO_SIDE_EFFECTS__ */
const act = <const R extends Rules>(endpoint: Endpoint, name: string, rules: R = {} as R) => ({
  ...UNGUARDED,
  endpoint,
  name,
  ...rules,
})

const PROVED = { proof: 'always' } as const
const MONEY = { proof: 'always', secondPerson: 'above-limit', limit: 'manual_credit_limit' } as const
const NEW_ROLE = { proof: 'always', secondPerson: 'approving-role' } as const
const ON_ACCOUNT = { isOnAccount: true } as const

/**
 * What each act of an operator takes, by its name in the audit trail. `actAsOperator` decides by it, docs/permissions.md
 * and the console show it; tests/repo/operator-acts.test.ts misses a call without its row, and a row without its call.
 */
export const ACT_GUARDS = {
  'bank-transfers.match': act(operatorBankTransfers.match, 'Ghép khoản chuyển với đơn nạp', MONEY),
  'bank-transfers.match-many': act(severalBankTransfers.matchMany, 'Ghép nhiều khoản chuyển', MONEY),
  'bank-transfers.credit': act(operatorBankTransfers.credit, 'Cộng khoản chuyển cho người chơi', MONEY),
  'bank-transfers.reverse-credit': act(operatorBankTransfers.reverseCredit, 'Thu hồi khoản đã cộng', MONEY),
  'bank-transfers.link-reversal': act(
    operatorBankTransfers.linkReversal,
    'Nối khoản ngân hàng thu lại với khoản gốc',
    PROVED,
  ),
  'bank-transfers.refund': act(operatorBankTransfers.refund, 'Ghi nhận đã hoàn tiền bằng tay', PROVED),
  'bank-transfers.refund-at-gateway': act(operatorBankTransfers.refundAtGateway, 'Hoàn tiền qua MoMo', MONEY),
  'bank-transfers.ignore': act(operatorBankTransfers.ignore, 'Bỏ qua khoản chuyển'),
  'bank-transfers.approve': act(operatorBankTransfers.approve, 'Duyệt đề xuất về khoản chuyển', PROVED),
  'bank-transfers.reject': act(operatorBankTransfers.reject, 'Bác đề xuất về khoản chuyển', PROVED),
  'bank-transfers.withdraw': act(operatorBankTransfers.withdraw, 'Rút đề xuất về khoản chuyển'),
  'payment-events.accept': act(operatorPaymentEvents.accept, 'Công nhận thông báo tiền vào', PROVED),
  'payment-events.dismiss': act(operatorPaymentEvents.dismiss, 'Bỏ thông báo tiền vào'),
  'recharge-orders.query': act(operatorRechargeOrders.query, 'Hỏi cổng thanh toán về đơn nạp'),
  'recharge-orders.note': act(operatorRechargeOrders.addNote, 'Ghi chú về đơn nạp'),
  'recharge-claims.answer': act(operatorClaims.answer, 'Trả lời yêu cầu kiểm tra'),
  'cases.answer': act(operatorCases.answer, 'Trả lời yêu cầu hỗ trợ'),
  'cases.assign': act(operatorCases.assign, 'Giao yêu cầu hỗ trợ cho một người'),
  'cases.close': act(operatorCases.close, 'Đóng yêu cầu hỗ trợ'),
  'cases.reopen': act(operatorCases.reopen, 'Mở lại yêu cầu hỗ trợ'),
  'answer-templates.create': act(operatorAnswerTemplates.create, 'Thêm mẫu trả lời'),
  'answer-templates.update': act(operatorAnswerTemplates.update, 'Sửa mẫu trả lời'),
  'answer-templates.delete': act(operatorAnswerTemplates.remove, 'Xóa mẫu trả lời'),
  'daily-closes.read-anew': act(operatorDailyCloses.readAnew, 'Đọc lại sao kê của một ngày'),
  'daily-closes.take-file': act(operatorDailyCloses.takeFile, 'Đối chiếu các ngày với tệp sao kê', PROVED),
  'daily-closes.give-figures': act(operatorDailyCloses.giveFigures, 'Đối chiếu một ngày bằng tay', PROVED),
  'reconciliation.start': act(operatorReconciliation.start, 'Chạy đối soát'),
  'deliveries.retry': act(operatorDeliveries.retry, 'Gửi lại một lần giao'),
  'deliveries.retry-many': act(operatorDeliveries.retryMany, 'Gửi lại nhiều lần giao'),
  'deliveries.ask': act(operatorDeliveries.ask, 'Hỏi game về một lần giao'),
  'deliveries.refund': act(operatorDeliveries.refund, 'Hoàn TCoin của một lần giao', PROVED),
  'deliveries.settle': act(operatorDeliveries.settle, 'Ghi nhận một lần giao đã tới', PROVED),
  'game-comparison.start': act(operatorGameComparison.start, 'So lượt giao với game'),
  'deliveries.give-again': act(operatorMissingDeliveries.giveAgain, 'Giao lại món game đã mất', {
    ...PROVED,
    secondPerson: 'always',
  }),

  'users.adjust': act(operatorUserActs.adjust, 'Điều chỉnh số dư', MONEY),
  'users.settle-debt': act(settleDebtCall, 'Trừ ví để trả nợ', PROVED),
  'users.ban': act(operatorUserActs.ban, 'Khóa người chơi', { proof: 'long-ban', ...ON_ACCOUNT }),
  'users.ban-many': act(operatorUserActs.banMany, 'Khóa nhiều người chơi', {
    proof: 'long-ban',
    ...ON_ACCOUNT,
  }),
  'users.lift-ban': act(operatorUserActs.liftBan, 'Mở khóa người chơi', { ...PROVED, ...ON_ACCOUNT }),
  'users.end-sessions': act(operatorUserActs.endSessions, 'Kết thúc mọi phiên', ON_ACCOUNT),
  'users.send-reset': act(operatorUserActs.sendReset, 'Gửi thư đặt lại mật khẩu', ON_ACCOUNT),
  'users.note': act(operatorUserActs.addNote, 'Ghi chú về người chơi'),
  'users.reveal-contact': act(operatorUserActs.revealContact, 'Xem email và số điện thoại', {
    ...PROVED,
    ...ON_ACCOUNT,
  }),
  'users.view-as': act(viewAsCall, 'Xem như người chơi', ON_ACCOUNT),
  'users.remove-second-factor': act(operatorUserActs.removeSecondFactor, 'Gỡ xác thực hai lớp', {
    ...PROVED,
    ...ON_ACCOUNT,
    secondPerson: 'always',
  }),
  'deletion-requests.carry-out': act(operatorDeletions.carryOut, 'Xóa tài khoản theo yêu cầu', PROVED),
  'deletion-requests.refuse': act(operatorDeletions.refuse, 'Từ chối yêu cầu xóa tài khoản', PROVED),

  'settings.update': act(operatorSettings.update, 'Thay đổi cài đặt', {
    proof: 'guarded-setting',
    secondPerson: 'guarded-setting',
  }),
  'planned-prices.plan': act(operatorPlannedPrices.plan, 'Hẹn đổi giá', {
    ...PROVED,
    secondPerson: 'always',
  }),
  'planned-prices.cancel': act(operatorPlannedPrices.cancel, 'Hủy lịch đổi giá', PROVED),
  'budgets.create': act(operatorBudgets.create, 'Lập ngân sách', PROVED),
  'budgets.fund': act(operatorBudgets.fund, 'Cấp hoặc rút TCoin của ngân sách', MONEY),
  'promotions.plan': act(operatorPromotions.plan, 'Lập khuyến mãi', PROVED),
  'promotions.start': act(operatorPromotions.start, 'Chạy khuyến mãi', { ...PROVED, secondPerson: 'always' }),
  'promotions.stop': act(operatorPromotions.stop, 'Dừng khuyến mãi', PROVED),
  'milestones.plan': act(operatorMilestones.plan, 'Lập mốc nạp', PROVED),
  'milestones.start': act(operatorMilestones.start, 'Chạy mốc nạp', { ...PROVED, secondPerson: 'always' }),
  'milestones.stop': act(operatorMilestones.stop, 'Dừng mốc nạp', PROVED),
  'gift-codes.make': act(operatorGiftCodes.make, 'Tạo đợt mã quà', PROVED),
  'gift-codes.start': act(operatorGiftCodes.start, 'Chạy đợt mã quà', { ...PROVED, secondPerson: 'always' }),
  'gift-codes.stop': act(operatorGiftCodes.stop, 'Dừng đợt mã quà', PROVED),
  'invitations.grant': act(operatorInvitations.grant, 'Thưởng lời mời chờ xem lại', PROVED),
  'invitations.refuse': act(operatorInvitations.refuse, 'Từ chối lời mời chờ xem lại'),
  'proposals.approve': act(operatorProposals.approve, 'Duyệt đề xuất', PROVED),
  'proposals.reject': act(operatorProposals.reject, 'Bác đề xuất', PROVED),
  'proposals.withdraw': act(operatorProposals.withdraw, 'Rút đề xuất'),
  'maintenance.update': act(operatorMaintenance.update, 'Đóng hoặc mở bảo trì'),
  'staff.set-roles': act(operatorStaff.setRoles, 'Thay đổi vai trò', NEW_ROLE),
  'staff.invite': act(operatorStaff.invite, 'Mời vào ban vận hành', NEW_ROLE),
  'staff.withdraw-invite': act(operatorStaff.withdrawInvite, 'Thu hồi lời mời', PROVED),
  'servers.create': act(operatorServers.create, 'Thêm máy chủ'),
  'servers.update': act(operatorServers.update, 'Sửa máy chủ'),
  'servers.delete': act(operatorServers.remove, 'Xóa máy chủ'),
  'game-names.update': act(operatorGameNames.update, 'Đặt tên trong game'),
  'groups.create': act(operatorGroups.create, 'Thêm bảng xếp hạng'),
  'groups.update': act(operatorGroups.update, 'Sửa bảng xếp hạng'),
  'groups.delete': act(operatorGroups.remove, 'Xóa bảng xếp hạng'),

  'legal.publish': act(operatorLegal.publish, 'Công bố văn bản pháp lí', PROVED),
  'posts.create': act(operatorPosts.create, 'Viết bài'),
  'posts.update': act(operatorPosts.update, 'Sửa bài'),
  'posts.delete': act(operatorPosts.remove, 'Xóa bài'),
  'posts.restore': act(operatorPosts.restore, 'Khôi phục bản cũ của bài'),
  'categories.create': act(operatorCategories.create, 'Thêm chuyên mục'),
  'categories.update': act(operatorCategories.update, 'Sửa chuyên mục'),
  'categories.delete': act(operatorCategories.remove, 'Xóa chuyên mục'),
  'pictures.create': act(operatorPictures.create, 'Tải ảnh lên'),
  'pictures.delete': act(operatorPictures.remove, 'Xóa ảnh'),

  'tournaments.create': act(operatorTournaments.create, 'Tạo giải đấu'),
  'tournaments.update': act(operatorTournaments.update, 'Sửa giải đấu'),
  'tournaments.cancel': act(operatorTournaments.cancel, 'Hủy giải đấu'),
  'tournaments.teams-add': act(operatorTournaments.addTeams, 'Thêm đội'),
  'tournaments.team-update': act(operatorTournaments.updateTeam, 'Sửa đội'),
  'tournaments.team-withdraw': act(operatorTournaments.withdrawTeam, 'Rút đội'),
  'tournaments.draw': act(operatorTournaments.draw, 'Bốc thăm'),
  'tournaments.open': act(operatorTournaments.open, 'Mở đăng ký giải đấu'),
  'tournaments.close': act(operatorTournaments.close, 'Đóng đăng ký giải đấu'),
  'tournaments.seeds': act(operatorTournaments.seeds, 'Chọn đội hạt giống'),
  'tournaments.reveal': act(operatorTournaments.revealNext, 'Công bố đội bốc thăm'),
  'tournaments.call': act(operatorTournaments.callMatch, 'Gọi trận'),
  'tournaments.present': act(operatorTournaments.markPresent, 'Ghi đội có mặt'),
  'tournaments.result': act(operatorTournaments.saveResult, 'Ghi kết quả một trận'),
  'tournaments.correct': act(operatorTournaments.correctResult, 'Sửa kết quả một trận'),
  'tournaments.undo': act(operatorTournaments.undo, 'Hoàn tác ở bàn trọng tài'),
  'tournaments.pause': act(operatorTournaments.pause, 'Tạm dừng giải đấu'),
  'tournaments.resume': act(operatorTournaments.resume, 'Cho giải đấu tiếp tục'),
  'tournaments.results': act(operatorTournaments.saveResults, 'Ghi kết quả'),
  'tournaments.next-round': act(operatorTournaments.nextRound, 'Sang vòng tiếp theo'),
  'tournaments.finish': act(operatorTournaments.finish, 'Kết thúc giải đấu'),
} as const satisfies Record<string, ActGuard>

export type OperatorAct = keyof typeof ACT_GUARDS
