import { ActButton } from '#admin/kit/act-dialog.tsx'
import { listScreen } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink, ReportLink } from '#admin/kit/links.tsx'
import { useMay } from '#admin/session/console-session.ts'
import {
  type InvitationReason,
  type InvitationReward,
  operatorInvitations,
} from '#contract/operator/rewards/invitations.ts'
import { formatNumber, vietnamDayOf } from '#contract/format.ts'
import { INVITATION_HOURS } from '#contract/rewards/invitations.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'

type State = InvitationReward['state']

const copy = {
  intro: `Người chơi được mời và đã nạp lần đầu. Sau ${INVITATION_HOURS} giờ hai bên được thưởng nếu khoản nạp vẫn còn; có điểm chung đáng ngờ thì chờ bạn xem lại. Mức thưởng, hạn mức và ngân sách ở mục Cài đặt, phần Giá.`,
  empty: 'Chưa có người được mời nào nạp.',
  invited: 'Được mời',
  inviter: 'Người mời',
  state: 'Trạng thái',
  states: {
    waiting: 'Chờ đến hạn',
    granted: 'Đã thưởng',
    review: 'Chờ xem lại',
    refused: 'Không thưởng',
  } satisfies Record<State, string>,
  why: 'Lý do',
  reasons: {
    device: 'Chung thiết bị',
    address: 'Chung địa chỉ mạng',
    'bank-account': 'Chung tài khoản ngân hàng',
    character: 'Chung nhân vật nhận',
    banned: 'Đang bị khóa giao dịch',
    budget: 'Ngân sách không đủ',
    off: 'Thưởng mời bạn đang tắt',
    'month-full': 'Người mời hết hạn mức tháng',
    erased: 'Tài khoản đã xóa',
    'not-activated': 'Không kích hoạt',
    operator: 'Người vận hành từ chối',
  } satisfies Record<InvitationReason, string>,
  inviterCoins: 'Người mời nhận',
  invitedCoins: 'Người được mời nhận',
  createdAt: 'Nạp lần đầu',
  dueAt: 'Đến hạn',
  decider: 'Người quyết định',
  inviterField: 'Số của người mời',
  grant: 'Thưởng',
  grantOf: (name: string) => `Thưởng vì đã mời ${name}`,
  grantText: 'Cả hai người chơi nhận TCoin theo cài đặt, lấy từ ngân sách của lời mời.',
  refuse: 'Từ chối',
  refuseOf: (name: string) => `Từ chối thưởng vì đã mời ${name}`,
  reportOf: (month: string) => `lời mời bạn tháng ${month.slice(5)}/${month.slice(0, 4)}`,
  refuseText: 'Không ai được thưởng vì lời mời này nữa.',
} as const

const tones = {
  waiting: 'waiting',
  granted: 'success',
  review: 'waiting',
  refused: 'note',
} as const satisfies Record<State, BadgeTone>

/** TCoin, once they were given. */
const coinsColumn = (name: 'inviter_coins' | 'invited_coins', label: string): Column<InvitationReward> =>
  column(name, label, ({ [name]: coins }) => (coins === null ? null : formatNumber(coins)), {
    isNumber: true,
  })

const columns: readonly Column<InvitationReward>[] = [
  column('invited', copy.invited, ({ invited }) => <PersonLink person={invited} />),
  column('inviter', copy.inviter, ({ inviter }) => <PersonLink person={inviter} />),
  column('state', copy.state, ({ state }) => <Badge tone={tones[state]}>{copy.states[state]}</Badge>),
  column('reasons', copy.why, ({ reasons }) => reasons.map((one) => copy.reasons[one]).join(', '), {
    isText: true,
  }),
  coinsColumn('inviter_coins', copy.inviterCoins),
  coinsColumn('invited_coins', copy.invitedCoins),
  momentColumn('created_at', copy.createdAt),
  momentColumn('due_at', copy.dueAt),
  column('decided_by', copy.decider, ({ decided_by }) =>
    decided_by === null ? null : <PersonLink person={decided_by} />,
  ),
  column('acts', labels.acts, (reward) => <Acts reward={reward} />),
]

function Acts({ reward: { id, state, invited, created_at } }: { reward: InvitationReward }) {
  const mayDecide = useMay()('wallet.adjust') && state === 'review'
  const month = vietnamDayOf(Date.parse(created_at)).slice(0, 7)
  return (
    <span className="flex flex-wrap items-center gap-2">
      {mayDecide && <Decisions id={id} username={invited.username} />}
      <ReportLink kind="invitations" id={month} title={copy.reportOf(month)} />
    </span>
  )
}

const Decisions = ({ id, username }: { id: string; username: string }) => (
  <>
    <ActButton
      label={copy.grant}
      aria-label={copy.grantOf(username)}
      endpoint={operatorInvitations.grant}
      params={{ id }}
      text={copy.grantText}
    />
    <ActButton
      label={copy.refuse}
      kind="plain"
      aria-label={copy.refuseOf(username)}
      endpoint={operatorInvitations.refuse}
      params={{ id }}
      text={copy.refuseText}
    />
  </>
)

const filters: readonly Filter[] = [
  { name: 'state', label: copy.state, options: optionsOf(copy.states) },
  { name: 'inviter_id', label: copy.inviterField },
]

export const Component = listScreen(operatorInvitations.list, columns, filters, {
  lead: <p className="max-w-3xl">{copy.intro}</p>,
  usualSort: ['id', 'DESC'],
  empty: copy.empty,
})
