import type { Endpoint } from '../endpoint.ts'
import { operatorClientErrors } from './client-errors.ts'
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
import { operatorAccountReturns } from './help/account-returns.ts'
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
type SecondPersonRule =
  | 'never'
  | 'always'
  | 'above-limit'
  | 'guarded-setting'
  | 'approving-role'
  | 'with-start'

/**
 * Why nobody does it unseen: it always waits for somebody else; a sum of a day limits it; a letter tells the whole staff, or
 * the daily digest the owners; or whoever may do it can undo it at once, by the act named.
 */
export type Seen = 'proposal' | 'limit' | 'letter' | 'digest' | { undo: string }

export type ActGuard = {
  seen: Seen
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

type Rules = Partial<Omit<ActGuard, 'endpoint' | 'name' | 'seen'>>

/* @__NO_SIDE_EFFECTS__ */
// oxlint-disable-next-line max-params
const act = <const R extends Rules>(seen: Seen, endpoint: Endpoint, name: string, rules: R = {} as R) => ({
  ...UNGUARDED,
  seen,
  endpoint,
  name,
  ...rules,
})

const PROVED = { proof: 'always' } as const
const MONEY = { proof: 'always', secondPerson: 'above-limit', limit: 'manual_credit_limit' } as const
const NEW_ROLE = { proof: 'always', secondPerson: 'approving-role' } as const
/** It waits where the start is proposed with the plan. */
const PLANNED = { proof: 'always', secondPerson: 'with-start' } as const
const ON_ACCOUNT = { isOnAccount: true } as const

/**
 * What each act of an operator takes, by its name in the audit trail. `actAsOperator` decides by it, docs/permissions.md
 * and the console show it; tests/repo/operator-acts.test.ts misses a call without its row, and a row without its call.
 */
export const ACT_GUARDS = {
  'bank-transfers.match': act('limit', operatorBankTransfers.match, 'Ghép khoản chuyển với đơn nạp', MONEY),
  'bank-transfers.match-many': act('limit', severalBankTransfers.matchMany, 'Ghép nhiều khoản chuyển', MONEY),
  'bank-transfers.credit': act(
    'limit',
    operatorBankTransfers.credit,
    'Cộng khoản chuyển cho người chơi',
    MONEY,
  ),
  'bank-transfers.reverse-credit': act(
    'limit',
    operatorBankTransfers.reverseCredit,
    'Thu hồi khoản đã cộng',
    MONEY,
  ),
  'bank-transfers.link-reversal': act(
    'digest',
    operatorBankTransfers.linkReversal,
    'Nối khoản ngân hàng thu lại với khoản gốc',
    PROVED,
  ),
  'bank-transfers.refund': act(
    'digest',
    operatorBankTransfers.refund,
    'Ghi nhận đã hoàn tiền bằng tay',
    PROVED,
  ),
  'bank-transfers.refund-at-gateway': act(
    'limit',
    operatorBankTransfers.refundAtGateway,
    'Hoàn tiền qua MoMo',
    MONEY,
  ),
  'bank-transfers.ignore': act(
    { undo: 'bank-transfers.credit' },
    operatorBankTransfers.ignore,
    'Bỏ qua khoản chuyển',
  ),
  'bank-transfers.approve': act(
    'digest',
    operatorBankTransfers.approve,
    'Duyệt đề xuất về khoản chuyển',
    PROVED,
  ),
  'bank-transfers.reject': act('letter', operatorBankTransfers.reject, 'Bác đề xuất về khoản chuyển', PROVED),
  'bank-transfers.withdraw': act('letter', operatorBankTransfers.withdraw, 'Rút đề xuất về khoản chuyển'),
  'payment-events.accept': act(
    'digest',
    operatorPaymentEvents.accept,
    'Công nhận thông báo tiền vào',
    PROVED,
  ),
  'payment-events.dismiss': act('digest', operatorPaymentEvents.dismiss, 'Bỏ thông báo tiền vào'),
  'recharge-orders.query': act('digest', operatorRechargeOrders.query, 'Hỏi cổng thanh toán về đơn nạp'),
  'recharge-orders.note': act('digest', operatorRechargeOrders.addNote, 'Ghi chú về đơn nạp'),
  'recharge-claims.answer': act('digest', operatorClaims.answer, 'Trả lời yêu cầu kiểm tra'),
  'cases.answer': act('digest', operatorCases.answer, 'Trả lời yêu cầu hỗ trợ'),
  'cases.assign': act({ undo: 'cases.assign' }, operatorCases.assign, 'Giao yêu cầu hỗ trợ cho một người'),
  'cases.close': act({ undo: 'cases.reopen' }, operatorCases.close, 'Đóng yêu cầu hỗ trợ'),
  'cases.reopen': act({ undo: 'cases.close' }, operatorCases.reopen, 'Mở lại yêu cầu hỗ trợ'),
  'client-errors.handle': act('digest', operatorClientErrors.handle, 'Đánh dấu lỗi trình duyệt đã xử lý'),
  'answer-templates.create': act(
    { undo: 'answer-templates.delete' },
    operatorAnswerTemplates.create,
    'Thêm mẫu trả lời',
  ),
  'answer-templates.update': act(
    { undo: 'answer-templates.update' },
    operatorAnswerTemplates.update,
    'Sửa mẫu trả lời',
  ),
  'answer-templates.delete': act(
    { undo: 'answer-templates.create' },
    operatorAnswerTemplates.remove,
    'Xóa mẫu trả lời',
  ),
  'daily-closes.read-anew': act('digest', operatorDailyCloses.readAnew, 'Đọc lại sao kê của một ngày'),
  'daily-closes.take-file': act(
    'digest',
    operatorDailyCloses.takeFile,
    'Đối chiếu các ngày với tệp sao kê',
    PROVED,
  ),
  'daily-closes.give-figures': act(
    'digest',
    operatorDailyCloses.giveFigures,
    'Đối chiếu một ngày bằng tay',
    PROVED,
  ),
  'reconciliation.start': act('digest', operatorReconciliation.start, 'Chạy đối soát'),
  'deliveries.retry': act('digest', operatorDeliveries.retry, 'Gửi lại một lần giao'),
  'deliveries.retry-many': act('digest', operatorDeliveries.retryMany, 'Gửi lại nhiều lần giao'),
  'deliveries.ask': act('digest', operatorDeliveries.ask, 'Hỏi game về một lần giao'),
  'deliveries.refund': act('digest', operatorDeliveries.refund, 'Hoàn TCoin của một lần giao', PROVED),
  'deliveries.settle': act('digest', operatorDeliveries.settle, 'Ghi nhận một lần giao đã tới', PROVED),
  'game-comparison.start': act('digest', operatorGameComparison.start, 'So lượt giao với game'),
  'deliveries.give-again': act('proposal', operatorMissingDeliveries.giveAgain, 'Giao lại món game đã mất', {
    ...PROVED,
    secondPerson: 'always',
  }),

  'users.adjust': act('limit', operatorUserActs.adjust, 'Điều chỉnh số dư', MONEY),
  'users.settle-debt': act('digest', settleDebtCall, 'Trừ ví để trả nợ', PROVED),
  'users.ban': act('digest', operatorUserActs.ban, 'Khóa người chơi', { proof: 'long-ban', ...ON_ACCOUNT }),
  'users.ban-many': act('digest', operatorUserActs.banMany, 'Khóa nhiều người chơi', {
    proof: 'long-ban',
    ...ON_ACCOUNT,
  }),
  'users.lift-ban': act('digest', operatorUserActs.liftBan, 'Mở khóa người chơi', {
    ...PROVED,
    ...ON_ACCOUNT,
  }),
  'users.end-sessions': act('digest', operatorUserActs.endSessions, 'Kết thúc mọi phiên', ON_ACCOUNT),
  'users.send-reset': act('digest', operatorUserActs.sendReset, 'Gửi thư đặt lại mật khẩu', ON_ACCOUNT),
  'users.note': act('digest', operatorUserActs.addNote, 'Ghi chú về người chơi'),
  'users.reveal-contact': act('digest', operatorUserActs.revealContact, 'Xem email và số điện thoại', {
    ...PROVED,
    ...ON_ACCOUNT,
  }),
  'users.view-as': act('digest', viewAsCall, 'Xem như người chơi', ON_ACCOUNT),
  'users.remove-second-factor': act('proposal', operatorUserActs.removeSecondFactor, 'Gỡ xác thực hai lớp', {
    ...PROVED,
    ...ON_ACCOUNT,
    secondPerson: 'always',
  }),
  'users.return': act('proposal', operatorAccountReturns.propose, 'Trả lại tài khoản', {
    ...PROVED,
    ...ON_ACCOUNT,
    secondPerson: 'always',
  }),
  'deletion-requests.carry-out': act(
    'digest',
    operatorDeletions.carryOut,
    'Xóa tài khoản theo yêu cầu',
    PROVED,
  ),
  'deletion-requests.refuse': act(
    'digest',
    operatorDeletions.refuse,
    'Từ chối yêu cầu xóa tài khoản',
    PROVED,
  ),

  'settings.update': act({ undo: 'settings.update' }, operatorSettings.update, 'Thay đổi cài đặt', {
    proof: 'guarded-setting',
    secondPerson: 'guarded-setting',
  }),
  'planned-prices.plan': act('proposal', operatorPlannedPrices.plan, 'Hẹn đổi giá', {
    ...PROVED,
    secondPerson: 'always',
  }),
  'planned-prices.cancel': act('digest', operatorPlannedPrices.cancel, 'Hủy lịch đổi giá', PROVED),
  'budgets.create': act('digest', operatorBudgets.create, 'Lập ngân sách', PROVED),
  'budgets.fund': act('limit', operatorBudgets.fund, 'Cấp hoặc rút TCoin của ngân sách', MONEY),
  'promotions.plan': act({ undo: 'promotions.stop' }, operatorPromotions.plan, 'Lập khuyến mãi', PLANNED),
  'promotions.update': act(
    { undo: 'promotions.update' },
    operatorPromotions.update,
    'Sửa khuyến mãi chưa chạy',
    PROVED,
  ),
  'promotions.start': act('proposal', operatorPromotions.start, 'Chạy khuyến mãi', {
    ...PROVED,
    secondPerson: 'always',
  }),
  'promotions.stop': act('digest', operatorPromotions.stop, 'Dừng khuyến mãi', PROVED),
  'milestones.plan': act({ undo: 'milestones.stop' }, operatorMilestones.plan, 'Lập mốc nạp', PLANNED),
  'milestones.update': act(
    { undo: 'milestones.update' },
    operatorMilestones.update,
    'Sửa mốc nạp chưa chạy',
    PROVED,
  ),
  'milestones.start': act('proposal', operatorMilestones.start, 'Chạy mốc nạp', {
    ...PROVED,
    secondPerson: 'always',
  }),
  'milestones.stop': act('digest', operatorMilestones.stop, 'Dừng mốc nạp', PROVED),
  'gift-codes.make': act({ undo: 'gift-codes.stop' }, operatorGiftCodes.make, 'Tạo đợt mã quà', PLANNED),
  'gift-codes.update': act(
    { undo: 'gift-codes.update' },
    operatorGiftCodes.update,
    'Sửa đợt mã quà chưa chạy',
    PROVED,
  ),
  'gift-codes.start': act('proposal', operatorGiftCodes.start, 'Chạy đợt mã quà', {
    ...PROVED,
    secondPerson: 'always',
  }),
  'gift-codes.stop': act('digest', operatorGiftCodes.stop, 'Dừng đợt mã quà', PROVED),
  'invitations.grant': act('digest', operatorInvitations.grant, 'Thưởng lời mời chờ xem lại', PROVED),
  'invitations.refuse': act('digest', operatorInvitations.refuse, 'Từ chối lời mời chờ xem lại'),
  'proposals.approve': act('digest', operatorProposals.approve, 'Duyệt đề xuất', PROVED),
  'proposals.reject': act('letter', operatorProposals.reject, 'Bác đề xuất', PROVED),
  'proposals.withdraw': act('letter', operatorProposals.withdraw, 'Rút đề xuất'),
  'maintenance.update': act(
    { undo: 'maintenance.update' },
    operatorMaintenance.update,
    'Đóng hoặc mở bảo trì',
  ),
  'staff.set-roles': act('letter', operatorStaff.setRoles, 'Thay đổi vai trò', NEW_ROLE),
  'staff.invite': act('letter', operatorStaff.invite, 'Mời vào ban vận hành', NEW_ROLE),
  'staff.withdraw-invite': act('letter', operatorStaff.withdrawInvite, 'Thu hồi lời mời', PROVED),
  'servers.create': act({ undo: 'servers.delete' }, operatorServers.create, 'Thêm máy chủ'),
  'servers.update': act({ undo: 'servers.update' }, operatorServers.update, 'Sửa máy chủ'),
  'servers.delete': act({ undo: 'servers.create' }, operatorServers.remove, 'Xóa máy chủ'),
  'game-names.update': act({ undo: 'game-names.update' }, operatorGameNames.update, 'Đặt tên trong game'),
  'groups.create': act({ undo: 'groups.delete' }, operatorGroups.create, 'Thêm bảng xếp hạng'),
  'groups.update': act({ undo: 'groups.update' }, operatorGroups.update, 'Sửa bảng xếp hạng'),
  'groups.delete': act({ undo: 'groups.create' }, operatorGroups.remove, 'Xóa bảng xếp hạng'),

  'legal.publish': act('digest', operatorLegal.publish, 'Công bố văn bản pháp lý', PROVED),
  'posts.create': act({ undo: 'posts.delete' }, operatorPosts.create, 'Viết bài'),
  'posts.update': act({ undo: 'posts.restore' }, operatorPosts.update, 'Sửa bài'),
  'posts.delete': act('digest', operatorPosts.remove, 'Xóa bài'),
  'posts.restore': act({ undo: 'posts.restore' }, operatorPosts.restore, 'Khôi phục bản cũ của bài'),
  'categories.create': act({ undo: 'categories.delete' }, operatorCategories.create, 'Thêm chuyên mục'),
  'categories.update': act({ undo: 'categories.update' }, operatorCategories.update, 'Sửa chuyên mục'),
  'categories.delete': act({ undo: 'categories.create' }, operatorCategories.remove, 'Xóa chuyên mục'),
  'pictures.create': act({ undo: 'pictures.delete' }, operatorPictures.create, 'Tải ảnh lên'),
  'pictures.delete': act('digest', operatorPictures.remove, 'Xóa ảnh'),

  'tournaments.create': act({ undo: 'tournaments.cancel' }, operatorTournaments.create, 'Tạo giải đấu'),
  'tournaments.update': act({ undo: 'tournaments.update' }, operatorTournaments.update, 'Sửa giải đấu'),
  'tournaments.cancel': act('digest', operatorTournaments.cancel, 'Hủy giải đấu'),
  'tournaments.teams-add': act(
    { undo: 'tournaments.team-withdraw' },
    operatorTournaments.addTeams,
    'Thêm đội',
  ),
  'tournaments.team-update': act(
    { undo: 'tournaments.team-update' },
    operatorTournaments.updateTeam,
    'Sửa đội',
  ),
  'tournaments.team-withdraw': act('digest', operatorTournaments.withdrawTeam, 'Rút đội'),
  'tournaments.draw': act('digest', operatorTournaments.draw, 'Bốc thăm'),
  'tournaments.open': act('digest', operatorTournaments.open, 'Mở đăng ký giải đấu'),
  'tournaments.close': act('digest', operatorTournaments.close, 'Đóng đăng ký giải đấu'),
  'tournaments.seeds': act({ undo: 'tournaments.seeds' }, operatorTournaments.seeds, 'Chọn đội hạt giống'),
  'tournaments.reveal': act('digest', operatorTournaments.revealNext, 'Công bố đội bốc thăm'),
  'tournaments.call': act('digest', operatorTournaments.callMatch, 'Gọi trận'),
  'tournaments.present': act('digest', operatorTournaments.markPresent, 'Ghi đội có mặt'),
  'tournaments.result': act(
    { undo: 'tournaments.undo' },
    operatorTournaments.saveResult,
    'Ghi kết quả một trận',
  ),
  'tournaments.correct': act(
    { undo: 'tournaments.undo' },
    operatorTournaments.correctResult,
    'Sửa kết quả một trận',
  ),
  'tournaments.undo': act('digest', operatorTournaments.undo, 'Hoàn tác ở bàn trọng tài'),
  'tournaments.pause': act({ undo: 'tournaments.resume' }, operatorTournaments.pause, 'Tạm dừng giải đấu'),
  'tournaments.resume': act(
    { undo: 'tournaments.pause' },
    operatorTournaments.resume,
    'Cho giải đấu tiếp tục',
  ),
  'tournaments.results': act({ undo: 'tournaments.correct' }, operatorTournaments.saveResults, 'Ghi kết quả'),
  'tournaments.next-round': act('digest', operatorTournaments.nextRound, 'Sang vòng tiếp theo'),
  'tournaments.finish': act('digest', operatorTournaments.finish, 'Kết thúc giải đấu'),
} as const satisfies Record<string, ActGuard>

export type OperatorAct = keyof typeof ACT_GUARDS
