import type { NotBought } from '#contract/constants.ts'
import { goodsInWords, waitingText, type Good, type WaitingReason } from '#contract/deliveries.ts'
import { formatMoment, formatNumber } from '#contract/format.ts'
import { shownText } from '#contract/name-texts.ts'
import type { NoticeKind } from '#contract/notices.ts'
import { paths } from '#contract/pages.ts'
import { NOT_BOUGHT } from '#contract/recharge/not-bought.ts'
import { CALL_SECONDS } from '#contract/tournament-rules.ts'
import { feeReason, type OwnTeam } from '#contract/tournament-teams.ts'

/** How long notices are stored. */
export const NOTICE_DAYS_MAX = 180

type Words = { title: string; text: string; href: string }

/** What the text of a notice takes from elsewhere when it is read, since it may have changed. */
export type Known = {
  withItemNames: (goods: readonly Good[]) => Good[]
  /** The username of the captain of the team that a notice is about; empty where there is none. */
  captain: string
}

const event = <Data extends object>(kind: NoticeKind, words: (data: Data, known: Known) => Words) => ({
  kind,
  words,
})

const sentences = (...parts: (string | false | null)[]): string => parts.filter(Boolean).join(' ')

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const tcoin = (coins: number): string => `${formatNumber(coins)} TCoin`

const statement = paths.transactions

/** What a case is about. */
type Reported = { caseId: string; title: string }
type NotBoughtData = { code: string; character: string; receive: number; reason: NotBought }

type Goods = { deliveryId: string; character: string; goods: readonly Good[] }

const goodsOf = ({ goods }: Goods, known: Known): string => capital(goodsInWords(known.withItemNames(goods)))

const NOT_YOU = 'Nếu không phải bạn, hãy đổi mật khẩu ngay và báo cho ban quản trị.'

const security = (title: string, text: string) =>
  event('security', () => ({ title, text: sentences(text, NOT_YOU), href: paths.profile }))

export type Cup = { tournamentId: string; tournament: string }
/**
 * No sentence of the portal quotes what players have written, such as the name of a team, which may advertise: whoever invites
 * is named by the username, as it is when the notice is read.
 */
export type CupTeam = Cup & { teamId: string }

const cup = ({ tournament }: Cup) => `giải “${tournament}”`

const OWN_TEAM = 'đội của bạn'

/** What a tournament's players are told. */
const ofCup = <Data extends Cup>(words: (data: Data, known: Known) => Omit<Words, 'href'>) =>
  event('tournament', (data: Data, known: Known) => ({
    ...words(data, known),
    href: paths.tournament(data.tournamentId),
  }))

type Out = Exclude<NonNullable<OwnTeam['withdrawn_for']>, 'cancelled'>

const OUT: Record<Out, (cup: string) => Omit<Words, 'href'>> = {
  left: (from) => ({
    title: 'Đội của bạn đã rút khỏi giải',
    text: `Đội trưởng đã rút ${OWN_TEAM} khỏi ${from}.`,
  }),
  expired: (from) => ({
    title: 'Đội của bạn đã mất chỗ',
    text: `${capital(OWN_TEAM)} chưa đủ người hoặc chưa đóng lệ phí khi hết giờ giữ chỗ ở ${from}.`,
  }),
  absent: (from) => ({
    title: 'Đội của bạn đã mất chỗ',
    text: `${capital(OWN_TEAM)} không điểm danh đúng giờ nên không thi đấu ở ${from}.`,
  }),
  'not-admitted': (from) => ({
    title: 'Đội của bạn không vào giải',
    text: `${capital(OWN_TEAM)} chưa đủ người, hoặc chưa có chỗ và đóng lệ phí, nên không có trong danh sách thi đấu của ${from}.`,
  }),
  operator: (from) => ({
    title: 'Đội của bạn đã ra khỏi giải',
    text: `Ban tổ chức đã cho ${OWN_TEAM} rút khỏi ${from}.`,
  }),
}

type Result = CupTeam & {
  /** The name of the round. */
  round: string
  /** Of the player's team first. */
  games: readonly [number, number]
  outcome: 'won' | 'lost' | 'void'
  /** Which side did not come. */
  absent: 'own' | 'other' | null
}

const RESULTS: Record<Result['outcome'], string> = {
  won: 'Đội của bạn đã thắng',
  lost: 'Đội của bạn đã thua',
  void: 'Trận đấu không có đội thắng',
}

const ABSENT = { own: 'Đội của bạn vắng mặt.', other: 'Đội bên kia vắng mặt.' }

/** What players are told: the kind, the data that is stored, and the text that is made from it when it is read. */
export const EVENTS = {
  'recharge-credited': event(
    'recharge',
    /**
     * `bonus`: what was given besides `coins`. `paid`: what went to a debt. `code`: of the order; null where an operator found
     * out whose money it is.
     */
    ({ coins, bonus, paid, code }: { coins: number; bonus: number; paid: number; code: string | null }) => ({
      title: `Đã cộng ${tcoin(coins + bonus)}`,
      text: sentences(
        code === null ? 'Khoản chuyển của bạn đã đến.' : `Đơn nạp ${code} đã được thanh toán.`,
        bonus > 0 && `${tcoin(bonus)} trong đó là thưởng.`,
        paid > 0 && `${tcoin(paid)} trong đó đã trả nợ.`,
      ),
      href: code === null ? statement : paths.order(code),
    }),
  ),
  'recharge-reversed': event(
    'recharge',
    /** `debt`: all that the player owes by then. */
    ({ coins, debt, isByBank }: { coins: number; debt: number; isByBank: boolean }) => ({
      title: `Đã thu hồi ${tcoin(coins)}`,
      text: sentences(
        isByBank
          ? 'Ngân hàng đã thu hồi khoản chuyển của bạn.'
          : 'Khoản này đã được cộng nhầm vào ví của bạn.',
        debt > 0 && `Bạn còn nợ ${tcoin(debt)}.`,
      ),
      href: statement,
    }),
  ),
  'milestone-reached': event(
    'recharge',
    ({ at, title, until }: { at: number; title: string; until: string }) => ({
      title: `Bạn đã đạt mốc ${formatNumber(at)} VND – nhận quà`,
      text: `Chọn nhân vật nhận quà của mốc này trong “${title}”, đến ${formatMoment(until)}.`,
      href: paths.milestones,
    }),
  ),
  'invitation-rewarded': event(
    'recharge',
    /** `paid`: what went to a debt. */
    ({ coins, paid, isInviter }: { coins: number; paid: number; isInviter: boolean }) => ({
      title: `Bạn được thưởng ${tcoin(coins)}`,
      text: sentences(
        isInviter ? 'Người bạn mời đã nạp lần đầu.' : 'Bạn đã vào cổng theo lời mời và nạp lần đầu.',
        paid > 0 && `${tcoin(paid)} trong đó đã trả khoản nợ của bạn.`,
      ),
      href: isInviter ? paths.invitations : statement,
    }),
  ),
  'order-not-bought': event('delivery', ({ code, character, receive, reason }: NotBoughtData) => ({
    title: `Chưa đổi được ${formatNumber(receive)} lượng`,
    text: `Đơn nạp ${code} đã được thanh toán nhưng chưa đổi được lượng cho nhân vật ${shownText(character)}: ${NOT_BOUGHT[reason]} TCoin ở trong ví của bạn.`,
    href: paths.order(code),
  })),
  'goods-arrived': event('delivery', (data: Goods, known) => ({
    title: 'Món đã vào nhân vật',
    text: `${goodsOf(data, known)} đã vào nhân vật ${shownText(data.character)}.`,
    href: paths.deliveries(data.deliveryId),
  })),
  'goods-waiting': event('delivery', (data: Goods & { reason: WaitingReason }, known) => ({
    title: 'Món đang chờ trong game',
    text: `${goodsOf(data, known)} cho nhân vật ${shownText(data.character)}. ${waitingText(data.reason)}`,
    href: paths.deliveries(data.deliveryId),
  })),
  'goods-refunded': event('delivery', (data: Goods & { amount: number; reason: string }, known) => ({
    title: `Đã hoàn ${tcoin(data.amount)}`,
    text: `${goodsOf(data, known)} cho nhân vật ${shownText(data.character)} không vào được game. Lý do: ${data.reason}`,
    href: paths.deliveries(data.deliveryId),
  })),
  'claim-answered': event(
    'claim',
    /** `caseId`: absent in notices of before, null where the case is past its time. */
    ({ amount, isSettled, caseId }: { amount: number; isSettled: boolean; caseId?: string | null }) => ({
      title: 'Yêu cầu kiểm tra đã có câu trả lời',
      text: `Khoản chuyển ${formatNumber(amount)} VND: ${isSettled ? 'đã xử lý xong' : 'không được chấp nhận'}. Mở để đọc câu trả lời.`,
      href: caseId ? paths.help(caseId) : paths.claim,
    }),
  ),
  'case-answered': event('claim', ({ caseId, title }: Reported) => ({
    title: 'Đội hỗ trợ đã trả lời',
    text: `Về: ${title}. Mở để đọc và viết tiếp.`,
    href: paths.help(caseId),
  })),
  'case-closed': event('claim', ({ caseId, title }: Reported) => ({
    title: 'Yêu cầu hỗ trợ đã đóng',
    text: `Về: ${title}.`,
    href: paths.help(caseId),
  })),
  'team-invited': ofCup((data: CupTeam & { until: string | null }, { captain }) => ({
    title: 'Lời mời vào đội',
    text: sentences(
      captain === ''
        ? `Bạn được mời vào một đội ở ${cup(data)}.`
        : `Người chơi ${captain} mời bạn vào đội ở ${cup(data)}.`,
      data.until !== null && `Trả lời trước ${formatMoment(data.until)}.`,
    ),
  })),
  'team-got-place': ofCup((data: CupTeam & { until: string }) => ({
    title: 'Đội của bạn đã có chỗ',
    text: `${capital(OWN_TEAM)} đã lên từ danh sách chờ của ${cup(data)}. Chỗ được giữ đến ${formatMoment(data.until)}, khi mọi người đã nhận lời và lệ phí đã đóng thì đội vào giải.`,
  })),
  'team-admitted': ofCup((data: CupTeam) => ({
    title: 'Đội của bạn đã vào giải',
    text: `${capital(OWN_TEAM)} đã vào ${cup(data)}.`,
  })),
  'team-incomplete': ofCup((data: CupTeam & { until: string }) => ({
    title: 'Đội của bạn chưa đủ',
    text: `${capital(OWN_TEAM)} không còn đủ người hoặc đủ lệ phí cho ${cup(data)}. Chỗ được giữ đến ${formatMoment(data.until)}.`,
  })),
  'team-out': ofCup((data: CupTeam & { reason: Out }) => OUT[data.reason](cup(data))),
  'fee-refused': ofCup((data: CupTeam & { luong: number; reason: string }) => ({
    title: 'Chưa trừ được lệ phí',
    text: `Lệ phí ${formatNumber(data.luong)} lượng của ${OWN_TEAM} ở ${cup(data)}: ${feeReason(data.reason)}. Hãy thử lại ở trang giải.`,
  })),
  'fee-returned': ofCup((data: Cup & { luong: number }) => ({
    title: `Đã trả lại ${formatNumber(data.luong)} lượng`,
    text: `Lệ phí của ${cup(data)} đã trở về nhân vật của bạn trong game.`,
  })),
  'check-in-open': ofCup((data: Cup & { startsAt: string; isWaiting?: boolean }) => ({
    title: 'Đã mở điểm danh',
    text: data.isWaiting
      ? `Đội của bạn đang ở danh sách chờ của ${cup(data)}. Hãy điểm danh ở trang giải trước ${formatMoment(data.startsAt)}: từ lúc đóng đăng ký, chỉ đội đã điểm danh được lên khi có chỗ trống.`
      : `${capital(cup(data))} bắt đầu lúc ${formatMoment(data.startsAt)}. Hãy điểm danh ở trang giải trước giờ đó, đội vắng sẽ mất chỗ.`,
  })),
  'tournament-begins': ofCup((data: Cup) => ({
    title: 'Giải đấu bắt đầu',
    text: `${capital(cup(data))} bắt đầu rồi. Mời bạn vào xem trực tiếp.`,
  })),
  'match-called': ofCup((data: CupTeam & { round: string }) => ({
    title: 'Đến lượt đội của bạn',
    text: `${data.round} ở ${cup(data)}: ${OWN_TEAM} có ${CALL_SECONDS} giây để có mặt.`,
  })),
  'match-result': ofCup((data: Result) => ({
    title: RESULTS[data.outcome],
    text: sentences(
      `${data.round} ở ${cup(data)}: ${data.games.join('–')}.`,
      data.absent && ABSENT[data.absent],
    ),
  })),
  'match-undone': ofCup((data: CupTeam & { round: string }) => ({
    title: 'Kết quả trận đấu đã bị hủy',
    text: `${data.round} ở ${cup(data)}: trọng tài đã hủy kết quả. Xem trang giải để biết trận tiếp theo của đội bạn.`,
  })),
  'tournament-won': ofCup((data: CupTeam) => ({
    title: 'Đội của bạn vô địch',
    text: `Chúc mừng ${OWN_TEAM}, đội vô địch ${cup(data)}!`,
  })),
  'tournament-cancelled': ofCup((data: Cup & { hasFee: boolean }) => ({
    title: 'Giải đấu đã bị hủy',
    text: sentences(
      `${capital(cup(data))} không diễn ra nữa.`,
      data.hasFee && 'Lệ phí đã đóng được trả lại trong game.',
    ),
  })),
  'new-device': event('security', ({ device, place }: { device: string; place: string }) => ({
    title: 'Đăng nhập trên thiết bị mới',
    text: sentences(`Thiết bị: ${device}. Nơi: ${place}.`, NOT_YOU),
    href: paths.signIns,
  })),
  'password-changed': security('Mật khẩu đã được thay đổi', 'Mọi thiết bị khác đã được đăng xuất.'),
  'password-reset': security('Mật khẩu đã được đặt lại', 'Mọi thiết bị khác đã được đăng xuất.'),
  'email-changed': security('Email đã được thay đổi', 'Từ nay thư của tài khoản gửi đến địa chỉ mới.'),
  'phone-changed': security('Số điện thoại đã được cập nhật', 'Số mới vừa được xác thực cho tài khoản.'),
  'phone-lost': event('security', () => ({
    title: 'Tài khoản cần một số điện thoại khác',
    text: 'Chủ của số điện thoại chưa xác thực trong hồ sơ vừa xác thực số đó cho tài khoản khác. Hãy thêm số của bạn.',
    href: paths.profile,
  })),
  'second-factor-on': security(
    'Xác thực hai lớp đã được bật',
    'Từ nay đăng nhập cần thêm mã trong ứng dụng xác thực.',
  ),
  'second-factor-off': security('Xác thực hai lớp đã bị tắt', 'Từ nay chỉ cần mật khẩu là đăng nhập được.'),
} as const

type NoticeEvent = keyof typeof EVENTS

/** One event that a player is told about. `subject` names it among those of the same sort. */
export type NewNotice = {
  [E in NoticeEvent]: { event: E; subject: string; data: Parameters<(typeof EVENTS)[E]['words']>[0] & object }
}[NoticeEvent]

export type StoredData = { event: string }

/** Null for an event of a newer release, while both run. */
export function wordsOf(data: StoredData, known: Known): Words | null {
  const found = Object.hasOwn(EVENTS, data.event) ? EVENTS[data.event as NoticeEvent] : null
  return found && (found.words as (stored: unknown, known: Known) => Words)(data, known)
}
