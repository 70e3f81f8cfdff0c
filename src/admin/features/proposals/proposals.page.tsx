import { Fragment, type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import { column, type Column } from '#admin/kit/data-table.tsx'
import { optionsOf } from '#admin/kit/filter-bar.tsx'
import { momentText, plannedTime } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { SettingChange, TestQr } from '#admin/kit/setting-value.tsx'
import { read } from '#admin/query.ts'
import { useMay, useOperator } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { allLines } from '#contract/operator/proposal-terms.ts'
import {
  OBJECTION_HOURS,
  type OperatorProposal,
  operatorProposals,
  permissionsFor,
  PROPOSAL_PERMISSIONS,
} from '#contract/operator/proposals.ts'
import { ROLES } from '#contract/operator/roles.ts'
import { settingDefinitions, type SettingKey, settingText } from '#contract/operator/settings.ts'
import { ROLE_WORDS } from '#contract/operator/words.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'

const copy = {
  waitingForMe: 'Chờ bạn quyết định',
  mine: 'Bạn đã đề xuất, đang chờ người khác',
  decided: 'Tất cả đề xuất',
  nothingWaits:
    'Không có gì chờ bạn. Thay đổi giá, tài khoản nhận tiền và hạn mức, điều chỉnh số dư lớn, cấp ngân sách lớn, chạy khuyến mãi, gỡ xác thực hai lớp của người khác, trả lại tài khoản cho khách nhờ hỗ trợ, cộng hoặc thu hồi khoản chuyển lớn, giao lại món game đã mất sẽ hiện ở đây trước khi có hiệu lực.',
  nothingMine: 'Bạn không có đề xuất nào đang chờ.',
  none: 'Chưa có đề xuất nào.',
  former:
    'Vai trò của bạn vừa bị thu. Trong 7 ngày kể từ lúc đó bạn vẫn thấy và bác được những gì đang chờ, nhưng không duyệt được.',
  proposedBy: (name: string, moment: string) => `${name} đề xuất lúc ${moment}`,
  takesEffectAlone: (moment: string) =>
    `Không có người thứ hai: tự có hiệu lực lúc ${moment} nếu không bị rút lại.`,
  takesEffect: (moment: string) => `Có hiệu lực lúc ${moment} nếu không ai từ chối.`,
  agreed: (names: string) => `Đã đồng ý: ${names}.`,
  asked: (names: string) => `Còn được hỏi: ${names}.`,
  onceAll: (moment: string) =>
    `Có hiệu lực ngay khi tất cả đã duyệt; nếu chỉ một người duyệt, có hiệu lực lúc ${moment} nếu không ai từ chối.`,
  outdated:
    'Giá trị đã thay đổi hoặc giờ hẹn đã qua từ khi đề xuất: không duyệt được nữa, chỉ bác hoặc rút lại.',
  approve: 'Duyệt',
  reject: 'Bác',
  withdraw: 'Rút lại',
  approveTitle: 'Duyệt đề xuất',
  rejectTitle: 'Bác đề xuất',
  withdrawTitle: 'Rút lại đề xuất',
  checked: 'Duyệt là có hiệu lực ngay. Hãy kiểm tra giá trị mới bằng cách khác với người đề xuất.',
  checkedWithOthers: (names: string) =>
    `Còn ${names} được hỏi: sau khi bạn duyệt, thay đổi chờ đủ 24 giờ kể từ lúc đề xuất, trong lúc đó ai cũng bác được. Hãy kiểm tra giá trị mới bằng cách khác với người đề xuất.`,
  onPlayers: {
    adjustment: (name: string) => `Điều chỉnh số dư của ${name}`,
    'second-factor': (name: string) => `Gỡ xác thực hai lớp của ${name}`,
    'account-return': (name: string) => `Trả lại tài khoản ${name}`,
    'bank-transfer': (name: string) => `Khoản chuyển cho ${name}`,
    roles: (name: string) => `Vai trò của ${name}`,
    budget: (title: string) => `Ngân sách ${title}`,
    promotion: (title: string) => `Chạy khuyến mãi ${title}`,
    milestones: (title: string) => `Chạy mốc nạp ${title}`,
    'gift-codes': (title: string) => `Chạy đợt mã quà ${title}`,
  },
  giveAgain: 'Giao lại món game đã mất',
  deliveries: (count: string) => `${formatNumber(Number(count))} lượt giao`,
  coins: (amount: number) => `${amount > 0 ? '+' : '−'}${formatNumber(Math.abs(amount))} TCoin`,
  refund: (transfer: string) => `Hoàn tiền khoản chuyển số ${transfer} qua MoMo`,
  refunded: (amount: number) => `Hoàn ${formatNumber(amount)} đ`,
  planned: (label: string) => `${label} theo lịch`,
  seePlans: 'Xem lịch đổi giá',
  running: 'Đang chạy',
  today: 'Hôm nay',
  afterwards: 'Sau khi duyệt',
  factorOff: 'Tắt xác thực hai lớp',
  returned: (id: string) => `Trả cho khách của yêu cầu hỗ trợ số ${id}`,
  invite: (role: string) => `Lời mời làm ${role}`,
  noRole: 'Không còn vai trò',
  see: {
    adjustment: 'Xem người chơi',
    'second-factor': 'Xem người chơi',
    'account-return': 'Xem yêu cầu hỗ trợ',
    roles: 'Xem người chơi',
    'bank-transfer': 'Xem khoản chuyển',
    invite: 'Xem ban vận hành',
    'give-again': 'Xem các lượt giao',
    budget: 'Xem ngân sách',
    promotion: 'Xem khuyến mãi',
    milestones: 'Xem mốc nạp',
    'gift-codes': 'Xem đợt mã quà',
  },
  columns: {
    what: 'Thay đổi',
    after: 'Giá trị mới',
    proposer: 'Người đề xuất',
    at: 'Lúc',
    state: 'Trạng thái',
    decider: 'Người quyết định',
    reason: 'Lý do',
  },
  states: {
    waiting: 'Đang chờ',
    approved: 'Đã duyệt',
    rejected: 'Đã bác',
    withdrawn: 'Đã rút',
    effective: 'Có hiệu lực sau thời gian chờ',
    outdated: 'Quá hạn',
  },
} as const

const columns: readonly Column<OperatorProposal>[] = [
  column('what', copy.columns.what, (proposal) =>
    isSettingProposal(proposal) ? (
      <Link to={`/audit?subject_type=${proposal.kind}&subject_id=${proposal.subject}`}>
        {subjectTitle(proposal)}
      </Link>
    ) : (
      <Link to={placeOf(proposal)}>{subjectTitle(proposal)}</Link>
    ),
  ),
  column('after', copy.columns.after, afterText),
  column('proposer', copy.columns.proposer, ({ proposed_by }) => proposed_by.username),
  column('at', copy.columns.at, ({ proposed_at }) => momentText(proposed_at)),
  column('state', copy.columns.state, ({ state }) => copy.states[state]),
  column('decider', copy.columns.decider, ({ decided_by }) => decided_by?.username ?? '—'),
  column('reason', copy.columns.reason, ({ reason }) => reason),
]

const WAITING = { filter: JSON.stringify({ state: 'waiting' }), range: '[0,99]' }

export function Component() {
  const { id: me, permissions } = useOperator()
  const may = useMay()
  // Theirs are the days after a role was taken.
  const isFormer = !Object.values(PROPOSAL_PERMISSIONS).some((one) => permissions.includes(one))
  return (
    <ScreenFrame>
      {isFormer && <Alert tone="note">{copy.former}</Alert>}
      <Loaded query={read(operatorProposals.list, { query: WAITING })}>
        {(waiting) => (
          <>
            <Group title={copy.waitingForMe} empty={copy.nothingWaits}>
              {waiting
                .filter(({ proposed_by }) => proposed_by.id !== me)
                .map((proposal) => (
                  <WaitingProposal
                    key={proposal.id}
                    proposal={proposal}
                    acts={permissionsFor(proposal).every(may) ? ['approve', 'reject'] : ['reject']}
                  />
                ))}
            </Group>
            <Group title={copy.mine} empty={copy.nothingMine}>
              {waiting
                .filter(({ proposed_by }) => proposed_by.id === me)
                .map((proposal) => (
                  <WaitingProposal key={proposal.id} proposal={proposal} acts={['withdraw']} />
                ))}
            </Group>
          </>
        )}
      </Loaded>
      <Panel title={copy.decided}>
        <DataList
          endpoint={operatorProposals.list}
          label={copy.decided}
          columns={columns}
          filters={[{ name: 'state', label: copy.columns.state, options: optionsOf(copy.states) }]}
          usualSort={['id', 'DESC']}
          empty={copy.none}
        />
      </Panel>
    </ScreenFrame>
  )
}

function Group({ title, empty, children }: { title: string; empty: string; children: readonly ReactNode[] }) {
  return (
    <Panel title={title}>
      {children.length === 0 ? (
        <p className="text-soft">{empty}</p>
      ) : (
        <div className="grid gap-4">{children}</div>
      )}
    </Panel>
  )
}

const isAboutSetting = (kind: OperatorProposal['kind']): kind is 'setting' | 'planned-price' =>
  kind === 'setting' || kind === 'planned-price'

const isSettingProposal = ({ kind, subject }: OperatorProposal): boolean =>
  isAboutSetting(kind) && Object.hasOwn(settingDefinitions, subject)

function subjectTitle(proposal: OperatorProposal): string {
  const { kind, subject, subject_name } = proposal
  if (kind === 'invite') return copy.invite(rolesText(proposal.payload.after))
  if (kind === 'give-again') return copy.giveAgain
  if (proposal.payload.refund !== undefined) return copy.refund(subject)
  if (isAboutSetting(kind)) {
    const label = isSettingProposal(proposal) ? settingDefinitions[subject as SettingKey].label : subject
    return kind === 'setting' ? label : copy.planned(label)
  }
  return copy.onPlayers[kind](subject_name ?? subject)
}

/** The names of the roles in a proposal. */
const rolesText = (roles: string): string =>
  ROLES.filter((role) => roles.split(',').includes(role))
    .map((role) => ROLE_WORDS[role])
    .join(', ') || copy.noRole

/** The value that would be set, in words. */
function afterText({ kind, subject, payload }: OperatorProposal): string {
  if (payload.refund !== undefined) return copy.refunded(payload.refund)
  if (kind === 'adjustment' || kind === 'bank-transfer' || kind === 'budget')
    return copy.coins(Number(payload.after))
  if (kind === 'roles' || kind === 'invite') return rolesText(payload.after)
  if (kind === 'give-again') return copy.deliveries(payload.after)
  if (kind === 'promotion' || kind === 'milestones' || kind === 'gift-codes') return copy.running
  if (kind === 'account-return') return copy.returned(payload.case_id ?? '')
  return kind === 'second-factor' ? copy.factorOff : settingText(subject, payload.after)
}

/** The screen of what a proposal is about. */
function placeOf({ kind, subject, payload }: OperatorProposal): string {
  if (kind === 'invite') return '/staff'
  if (kind === 'account-return') return `/cases/${payload.case_id ?? ''}`
  if (kind === 'give-again') return `/deliveries?batch=${subject}`
  if (kind === 'budget') return `/budgets?id=${subject}`
  if (kind === 'promotion') return `/promotions?id=${subject}`
  if (kind === 'milestones') return `/milestones?id=${subject}`
  if (kind === 'gift-codes') return `/gift-codes?id=${subject}`
  return kind === 'bank-transfer' ? `/bank-transfers/${subject}` : `/users/${subject}`
}

/** From what to what; of a player or a transfer, with a link to their screen. */
function Change({ proposal }: { proposal: OperatorProposal }) {
  const { kind, subject, payload } = proposal
  if (kind === 'setting') return <SettingChange id={subject} {...payload} />
  if (kind === 'planned-price') {
    const { starts_at = '', ends_at = null } = payload
    return (
      <>
        <p>
          <strong>{plannedTime({ starts_at, ends_at })}</strong> ·{' '}
          <Link to="/planned-prices">{copy.seePlans}</Link>
        </p>
        <SettingChange id={subject} {...payload} />
      </>
    )
  }
  return (
    <p>
      <strong>{afterText(proposal)}</strong> · <Link to={placeOf(proposal)}>{copy.see[kind]}</Link>
    </p>
  )
}

/** What would be done, in full, with today's values beside it. */
function Terms({ proposal: { kind, parts, terms } }: { proposal: OperatorProposal }) {
  if (terms === null) return null
  // `Change` shows the values of a setting and the time of a plan; those of parts are nowhere else.
  const lines = allLines(isAboutSetting(kind) && parts.length === 0 ? { ...terms, lines: [] } : terms)
  return (
    <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[minmax(9rem,max-content)_1fr]">
      {lines.map(({ label, before, after }, at) => (
        <Fragment key={`${at} ${label}`}>
          <dt className="text-sm text-soft">{label}</dt>
          <dd className="wrap-anywhere max-sm:mb-2">
            {before !== null && (
              <>
                <span className="sr-only">{copy.today}: </span>
                <span className="text-soft">{before}</span>
                <span aria-hidden="true"> → </span>
                <span className="sr-only">{copy.afterwards}: </span>
              </>
            )}
            <strong>{after}</strong>
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

const isBankAccount = (proposal: OperatorProposal): boolean =>
  isSettingProposal(proposal) && settingDefinitions[proposal.subject as SettingKey].kind === 'bank-account'

const namesOf = (people: readonly { username: string }[]): string =>
  people.map(({ username }) => username).join(', ')

/** Who agreed, who is still asked, and when it takes effect. */
function Waits({ proposal }: { proposal: OperatorProposal }) {
  const { agreed_by, asked, proposed_at, takes_effect_at } = proposal
  const earliest = new Date(Date.parse(proposed_at) + OBJECTION_HOURS * 3_600_000).toISOString()
  const isAsking = asked !== null && asked.length > 0
  if (takes_effect_at === null && (!isAsking || asked.length === 1)) return null
  const when =
    takes_effect_at === null
      ? copy.onceAll(momentText(earliest))
      : agreed_by.length > 0
        ? copy.takesEffect(momentText(takes_effect_at))
        : copy.takesEffectAlone(momentText(takes_effect_at))
  return (
    <Alert tone="note">
      {agreed_by.length > 0 && <>{copy.agreed(namesOf(agreed_by))} </>}
      {isAsking && <>{copy.asked(namesOf(asked))} </>}
      {when}
    </Alert>
  )
}

type Act = 'approve' | 'reject' | 'withdraw'

const ACTS = {
  approve: { title: copy.approveTitle, label: copy.approve, endpoint: operatorProposals.approve },
  reject: { title: copy.rejectTitle, label: copy.reject, endpoint: operatorProposals.reject },
  withdraw: { title: copy.withdrawTitle, label: copy.withdraw, endpoint: operatorProposals.withdraw },
} as const

/** A change that waits: from what to what, why, and what the reader may do about it. */
function WaitingProposal({ proposal, acts }: { proposal: OperatorProposal; acts: readonly Act[] }) {
  const [act, setAct] = useState<Act | null>(null)
  const { id, payload, reason, proposed_by, proposed_at, state, agreed_by, asked } = proposal
  const may = useMay()
  const { id: me } = useOperator()
  const others = asked?.filter((one) => one.id !== me) ?? []
  const hasAgreed = agreed_by.some((agreed) => agreed.id === me)
  const title = subjectTitle(proposal)
  const isOutdated = state === 'outdated'
  return (
    <article aria-label={title} className="space-y-3 rounded-lg border border-line-strong p-3">
      <h3 className="font-bold">{title}</h3>
      <p className="text-sm text-soft">
        {copy.proposedBy(proposed_by.username, momentText(proposed_at))}: {reason}
      </p>
      <Change proposal={proposal} />
      <Terms proposal={proposal} />
      {isOutdated && <Alert>{copy.outdated}</Alert>}
      {!isOutdated && <Waits proposal={proposal} />}
      {isBankAccount(proposal) && !isOutdated && may('settings.money') && <TestQr value={payload.after} />}
      <div className="flex flex-wrap gap-2">
        {acts
          .filter((one) => one !== 'approve' || !(isOutdated || hasAgreed))
          .map((one) => (
            <Button key={one} kind={one === 'approve' ? 'main' : 'plain'} onClick={() => setAct(one)}>
              {ACTS[one].label}
            </Button>
          ))}
      </div>
      {act && (
        <ActDialog
          title={`${ACTS[act].title}: ${title}`}
          submitLabel={ACTS[act].label}
          endpoint={ACTS[act].endpoint}
          params={{ id }}
          onClose={() => setAct(null)}
        >
          {() => (
            <>
              <Change proposal={proposal} />
              <Terms proposal={proposal} />
              {act === 'approve' && (
                <Alert tone="note">
                  {others.length > 0 ? copy.checkedWithOthers(namesOf(others)) : copy.checked}
                </Alert>
              )}
            </>
          )}
        </ActDialog>
      )}
    </article>
  )
}
