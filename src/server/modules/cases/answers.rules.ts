import { waitingText, type DeliveryStatus, type WaitingReason } from '#contract/deliveries.ts'
import { pages, paths } from '#contract/pages.ts'
import type { RechargeOrder } from '#contract/recharge.ts'
import type { TransactionType } from '#contract/transactions.ts'
import type { Topic } from '#contract/help/case-forms.ts'
import type { Suggestion } from '#contract/help/cases.ts'

type OrderState = { kind: 'order'; code: string; status: RechargeOrder['status'] }

type DeliveryState = {
  kind: 'delivery'
  id: string
  status: DeliveryStatus
  /** A person has to see to it. */
  isWithStaff: boolean
  /** The game tells when goods are with their character, and has not yet told so. */
  isUncollected: boolean
  waiting: WaitingReason | null
  /** It cost TCoin. */
  isPaid: boolean
}

/** A movement that is neither of an order nor of a delivery. */
type TransactionState = { kind: 'transaction'; type: TransactionType }

/** No thing of the player. */
type TopicState = { kind: 'topic'; topic: Topic }

/** What a report is about, as it stands now. */
export type ReportedState = OrderState | DeliveryState | TransactionState | TopicState

const NOT_CREDITED = 'Tôi đã chuyển tiền nhưng chưa được cộng TCoin'
const WRONG_MEMO = 'Tôi chuyển nhầm nội dung hoặc nhầm số tiền'
const NO_GOODS = 'Tôi chưa nhận được lượng hoặc món đã mua'

const claimLink = (code: string) => ({ label: pages.claim.title, href: `${paths.claim}?order=${code}` })
const orderLink = (code: string) => ({ label: 'Xem đơn nạp', href: paths.order(code) })
const receiptLink = (id: string) => ({ label: 'Xem biên nhận', href: paths.deliveries(id) })

const suggest = (question: string, answer: string, link: Suggestion['link'] = null): Suggestion => ({
  question,
  answer,
  link,
})

const CHECKED_BY_HAND =
  'Gửi số tiền, thời gian và ảnh biên lai ở trang kiểm tra khoản nạp: đội vận hành tìm khoản chuyển của bạn và cộng TCoin.'

const ofOrder: Record<OrderState['status'], (code: string) => Suggestion[]> = {
  pending: (code) => [
    suggest(
      NOT_CREDITED,
      'Tiền thường tới trong vài phút. Nếu đã quá 15 phút, hãy gửi yêu cầu kiểm tra.',
      claimLink(code),
    ),
    suggest(WRONG_MEMO, `Khoản chuyển vẫn được tìm thấy. ${CHECKED_BY_HAND}`, claimLink(code)),
  ],
  paid: (code) => [
    suggest(NOT_CREDITED, 'Đơn này đã được cộng đủ TCoin vào ví. Xem dòng của đơn trong lịch sử giao dịch.', {
      label: pages.transactions.title,
      href: paths.transactions,
    }),
    suggest('Tôi chuyển hai lần cho đơn này', CHECKED_BY_HAND, claimLink(code)),
  ],
  paid_under: (code) => [
    suggest(
      'Tôi chuyển thiếu tiền',
      'TCoin được cộng theo số tiền đã tới. Muốn nạp thêm phần còn thiếu, hãy tạo đơn nạp mới.',
      { label: pages.recharge.title, href: paths.recharge },
    ),
    suggest('Tôi đã chuyển phần còn lại', CHECKED_BY_HAND, claimLink(code)),
  ],
  paid_over: (code) => [
    suggest(
      'Tôi chuyển dư tiền',
      'Toàn bộ số tiền đã tới đều được cộng thành TCoin, kể cả phần dư.',
      orderLink(code),
    ),
  ],
  expired: (code) => [
    suggest(
      NOT_CREDITED,
      `Đơn đã hết hạn nhưng tiền tới sau vẫn được nhận. ${CHECKED_BY_HAND}`,
      claimLink(code),
    ),
    suggest('Tôi chưa chuyển tiền', 'Đừng chuyển vào đơn đã hết hạn. Hãy tạo đơn nạp mới.', {
      label: pages.recharge.title,
      href: paths.recharge,
    }),
  ],
  cancelled: (code) => [
    suggest(NOT_CREDITED, `Đơn đã hủy nhưng tiền đã chuyển không mất. ${CHECKED_BY_HAND}`, claimLink(code)),
  ],
  review: (code) => [
    suggest(
      NOT_CREDITED,
      'Tiền của đơn này đã tới và đang được đội vận hành kiểm tra. Bạn không cần chuyển lại.',
      orderLink(code),
    ),
  ],
}

function ofDelivery({
  id,
  status,
  isWithStaff,
  isUncollected,
  waiting,
  isPaid,
}: DeliveryState): Suggestion[] {
  if (status === 'refunded')
    return [
      suggest(
        NO_GOODS,
        isPaid
          ? 'Món này không vào được game và TCoin đã được hoàn vào ví. Lý do có trong biên nhận.'
          : 'Món này không vào được game. Lý do có trong biên nhận.',
        receiptLink(id),
      ),
    ]
  if (status === 'pending')
    return [
      suggest(
        NO_GOODS,
        isWithStaff
          ? 'Máy chủ game chưa xác nhận món này nên đội vận hành đang xem. Bạn không cần mua lại.'
          : 'Món đang được gửi vào game, thường mất vài giây, lâu hơn khi game bảo trì. Bạn không cần mua lại.',
        receiptLink(id),
      ),
    ]
  if (isUncollected) return [suggest(NO_GOODS, waitingText(waiting), receiptLink(id))]
  return [
    suggest(
      NO_GOODS,
      'Game báo món đã giao cho nhân vật. Hãy thoát hẳn game rồi vào lại đúng nhân vật và máy chủ ghi trong biên nhận.',
      receiptLink(id),
    ),
  ]
}

const ofTransaction: Partial<Record<TransactionType, Suggestion>> = {
  transfer_in: suggest(
    'Tôi không biết ai chuyển cho tôi',
    'TCoin nhận được là của bạn. Đừng chuyển lại cho người lạ tự xưng là chuyển nhầm: hãy báo cho đội vận hành.',
  ),
  transfer_out: suggest(
    'Tôi chuyển nhầm người',
    'Lệnh chuyển đã xong thì không tự hủy được. Hãy liên hệ người nhận trước, rồi báo cho đội vận hành nếu không được.',
  ),
  activation: suggest(
    'Tôi đã kích hoạt nhưng chưa giao dịch được',
    'Tài khoản kích hoạt xong là giao dịch được ngay. Hãy xem trạng thái trong hồ sơ.',
    { label: pages.profile.title, href: paths.profile },
  ),
  adjustment: suggest(
    'Vì sao số dư của tôi thay đổi?',
    'Đội vận hành điều chỉnh số dư khi sửa một sai sót hoặc khi ngân hàng thu hồi khoản nạp. Hãy hỏi ở đây nếu bạn chưa rõ.',
  ),
}

/** What is asked most, before anybody is asked. */
const ofTopic: Record<Topic, readonly Suggestion[]> = {
  account: [
    suggest(
      'Tài khoản của tôi bị khóa',
      'Khi đăng nhập, cổng cho biết khóa đến lúc nào và vì sao. Nếu bạn cho là nhầm, hãy viết rõ chuyện gì đã xảy ra.',
    ),
    suggest(
      'Tôi muốn đổi số điện thoại hoặc email',
      'Đổi được ngay trong hồ sơ, bằng mã gửi tới số hoặc email đang dùng. Không còn dùng được nữa thì viết ở đây.',
      { label: pages.profile.title, href: paths.profile },
    ),
    suggest(
      'Có người khác dùng tài khoản của tôi',
      'Hãy đổi mật khẩu rồi kết thúc các phiên khác trong hồ sơ, sau đó viết cho đội hỗ trợ bạn mất những gì.',
      { label: pages.profile.title, href: paths.profile },
    ),
  ],
  'sign-in': [
    suggest(
      'Tôi quên mật khẩu',
      'Đặt mật khẩu mới bằng email hoặc số điện thoại đã xác minh của tài khoản.',
      { label: pages.forgot.title, href: paths.forgot },
    ),
    suggest(
      'Tôi mất điện thoại có ứng dụng xác thực hai lớp',
      'Nhập một mã khôi phục đã lưu thay cho mã của ứng dụng. Không còn mã nào thì viết ở đây.',
    ),
  ],
  game: [
    suggest(
      'Tôi chưa nhận được lượng hoặc món đã mua',
      'Mở món đã mua rồi chọn “Báo vấn đề”: đội hỗ trợ thấy ngay là món nào.',
      { label: pages.deliveries.title, href: paths.deliveries() },
    ),
  ],
  tournament: [
    suggest(
      'Đội tôi đã đăng ký được chưa?',
      'Trang của giải cho biết đội của bạn đang ở đâu, còn thiếu ai, và khi nào phải có mặt.',
      { label: pages.tournaments.title, href: paths.tournaments },
    ),
  ],
  other: [
    suggest(
      'Việc về tiền hoặc món đã mua',
      'Hãy mở dòng trong lịch sử giao dịch rồi chọn “Báo vấn đề”, để đội hỗ trợ thấy ngay là dòng nào.',
      { label: pages.transactions.title, href: paths.transactions },
    ),
  ],
}

/** Answers to common questions about a thing by its present state, to be read before anybody is asked. */
export function answersFor(state: ReportedState): Suggestion[] {
  if (state.kind === 'order') return ofOrder[state.status](state.code)
  if (state.kind === 'delivery') return ofDelivery(state)
  if (state.kind === 'topic') return [...ofTopic[state.topic]]
  const answer = ofTransaction[state.type]
  return answer === undefined ? [] : [answer]
}
