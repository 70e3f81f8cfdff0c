import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { ActButton } from '#admin/kit/act-dialog.tsx'
import { MomentField, typedMoment } from '#admin/kit/fields.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column, momentColumn, numberColumn } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { FoldedPanel } from '#admin/kit/screen.tsx'
import { useRefresh } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { showToast } from '#client/toasts.tsx'
import type { AnswerOf } from '#contract/endpoint.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import type { OperatorDelivery } from '#contract/operator/deliveries.ts'
import {
  type Comparison,
  GIVEN_AGAIN_MAX,
  operatorGameComparison,
  operatorMissingDeliveries,
} from '#contract/operator/game/comparison.ts'
import { Badge, type BadgeTone } from '#ui/badge.tsx'
import { Facts } from '#ui/facts.tsx'
import { Field } from '#ui/field.tsx'

const copy = {
  lead: 'Khi game được đưa về bản cũ, người chơi mất món đã mua. Ở đây cổng hỏi game về từng lượt đã giao, rồi giao lại những món game không còn biết: mỗi món là một lượt giao mới, không tốn TCoin.',
  start: 'So với game',
  startText:
    'Tiến trình nền hỏi game về từng lượt đã giao trong khoảng thời gian mua này. Không có gì bị thay đổi.',
  server: 'Máy chủ',
  serverHint: 'Mã máy chủ trong game; để trống: mọi máy chủ',
  since: 'Mua từ',
  sinceHint: 'Để trống: 30 ngày trước',
  until: 'Mua trước',
  untilHint: 'Để trống: bây giờ',
  latest: 'Lần gần nhất',
  never: 'Chưa so lần nào.',
  state: 'Trạng thái',
  by: 'Do',
  command: 'dòng lệnh',
  at: 'Bắt đầu lúc',
  finished: 'Xong lúc',
  span: 'Món mua',
  spanText: (since: string, until: string) => `từ ${since} đến ${until}`,
  every: 'mọi máy chủ',
  reached: 'Đã xem đến món mua lúc',
  asked: 'Đã hỏi game',
  missing: 'Game không còn biết',
  deliveries: (count: number) => `${formatNumber(count)} lượt giao`,
  states: {
    running: 'Đang hỏi game',
    done: 'Đã xong',
    failed: 'Game không trả lời, hãy so lại',
    'too-many': 'Dừng: quá nhiều món game không biết, hãy xem cổng có nối đúng game không',
  },
  empty: 'Game biết mọi món đã giao của lần so này.',
  boughtAt: 'Mua lúc',
  character: 'Nhân vật',
  goods: 'Vật phẩm',
  amount: 'Giá',
  again: 'Giao lại',
  notYet: 'Chưa',
  giveChosen: 'Giao lại các lượt đã chọn',
  giveAll: `Giao lại ${formatNumber(GIVEN_AGAIN_MAX)} lượt đầu`,
  giveText: (count: string) =>
    `Giao lại ${count}, mỗi lượt với mã số mới, cùng nhân vật và vật phẩm. Không có TCoin nào bị trừ hay hoàn. Người thứ hai phải duyệt; lượt nào game đã có lại thì không giao nữa.`,
  firstOnes: (count: string) => `tối đa ${count} lượt chưa giao lại, mua sớm nhất trước,`,
  proposed: 'Đã đề xuất, chờ người thứ hai duyệt',
  given: (count: number) => `Đang giao lại ${formatNumber(count)} lượt`,
} as const

const tones: Record<Comparison['state'], BadgeTone> = {
  running: 'waiting',
  done: 'success',
  failed: 'danger',
  'too-many': 'danger',
}

const columns: readonly Column<OperatorDelivery>[] = [
  column('id', labels.id, ({ id }) => <Link to={`/deliveries/${id}`}>{id.slice(0, 8)}</Link>),
  momentColumn('created_at', copy.boughtAt, { sort: 'created_at' }),
  column('server', labels.server, ({ server_id }) => server_id),
  column('player', labels.player, ({ user_id: id, account: username }) => (
    <PersonLink person={{ id, username }} />
  )),
  column('character', copy.character, ({ character_name }) => character_name),
  column('goods', copy.goods, ({ goods }) => goodsInWords(goods), { onPhone: 'main' }),
  numberColumn('amount', copy.amount),
  column('again', copy.again, ({ replaced_by: id }) =>
    id === null ? copy.notYet : <Link to={`/deliveries/${id}`}>{id.slice(0, 8)}</Link>,
  ),
]

const filters: readonly Filter[] = [{ name: 'server_id', label: copy.server }]

const POLL_MS = 2_000

/** The latest comparison, read again while it runs. */
const useComparison = () =>
  useQuery({
    ...read(operatorGameComparison.get),
    refetchInterval: ({ state }) => (state.data?.comparison?.state === 'running' ? POLL_MS : false),
  }).data?.comparison

/** Reads everything again when a comparison has ended: its last rows came after the list was read. */
function useLastRows(isRunning: boolean): void {
  const wasRunning = useRef(isRunning)
  const refresh = useRefresh()
  useEffect(() => {
    if (wasRunning.current && !isRunning) refresh()
    wasRunning.current = isRunning
  }, [isRunning, refresh])
}

export function Component() {
  const mayAct = useMay()('deliveries.resolve')
  const comparison = useComparison()
  const isRunning = comparison?.state === 'running'
  useLastRows(isRunning)
  return (
    <ListPage
      endpoint={operatorMissingDeliveries.list}
      columns={columns}
      filters={filters}
      usualSort={['created_at', 'ASC']}
      bulk={{ permission: 'deliveries.resolve', Acts: GiveChosen }}
      empty={copy.empty}
      isFile
      {...(isRunning && { refreshMs: POLL_MS })}
      acts={
        mayAct && (
          <>
            <StartButton isRunning={isRunning} />
            {comparison && comparison.missing > 0 && <GiveFirst comparison={comparison.id} />}
          </>
        )
      }
      lead={
        <>
          <p className="max-w-text text-soft">{copy.lead}</p>
          <FoldedPanel title={copy.latest}>
            <Loaded query={read(operatorGameComparison.get)}>
              {({ comparison: latest }) =>
                latest === null ? <p>{copy.never}</p> : <Facts facts={factsOf(latest)} />
              }
            </Loaded>
          </FoldedPanel>
        </>
      }
    />
  )
}

const factsOf = ({ state, by, since, until, ...run }: Comparison) => [
  {
    label: copy.state,
    value: (
      <span aria-live="polite">
        <Badge tone={tones[state]}>{copy.states[state]}</Badge>
      </span>
    ),
  },
  { label: copy.by, value: by === null ? copy.command : <PersonLink person={by} /> },
  { label: copy.at, value: momentText(run.started_at) },
  { label: copy.finished, value: momentText(run.finished_at) },
  { label: copy.server, value: run.server_id ?? copy.every },
  { label: copy.span, value: copy.spanText(momentText(since), momentText(until)) },
  { label: copy.reached, value: momentText(run.reached_at) },
  { label: copy.asked, value: copy.deliveries(run.asked) },
  { label: copy.missing, value: copy.deliveries(run.missing) },
]

const NO_SPAN = { server_id: '', since: '', until: '' }

const StartButton = ({ isRunning }: { isRunning: boolean }) => (
  <ActButton
    label={copy.start}
    disabled={isRunning}
    endpoint={operatorGameComparison.start}
    text={copy.startText}
    start={NO_SPAN}
    toBody={({ server_id, since, until, reason }) => ({
      server_id: server_id.trim() === '' ? null : server_id,
      since: typedMoment(since) || null,
      until: typedMoment(until) || null,
      reason,
    })}
  >
    {(form) => (
      <>
        <Field {...form.field('server_id')} label={copy.server} hint={copy.serverHint} isOptional />
        <MomentField {...form.field('since')} label={copy.since} hint={copy.sinceHint} isOptional />
        <MomentField {...form.field('until')} label={copy.until} hint={copy.untilHint} isOptional />
      </>
    )}
  </ActButton>
)

function tell({ deliveries, proposal }: AnswerOf<typeof operatorMissingDeliveries.giveAgain>): void {
  showToast(proposal === null ? copy.given(deliveries) : copy.proposed)
}

/** Everything that was not given again yet, as much as one act takes. */
const GiveFirst = ({ comparison }: { comparison: string }) => (
  <ActButton
    kind="plain"
    label={copy.giveAll}
    endpoint={operatorMissingDeliveries.giveAgain}
    text={copy.giveText(copy.firstOnes(formatNumber(GIVEN_AGAIN_MAX)))}
    toBody={({ reason }) => ({ comparison, reason })}
    onDone={tell}
  />
)

type Props = { chosen: readonly OperatorDelivery[]; onDone: () => void }

function GiveChosen({ chosen, onDone }: Props) {
  const comparison = useComparison()
  return (
    <ActButton
      kind="plain"
      label={copy.giveChosen}
      disabled={!comparison}
      endpoint={operatorMissingDeliveries.giveAgain}
      text={copy.giveText(copy.deliveries(chosen.length))}
      toBody={({ reason }) => ({
        comparison: comparison?.id ?? '',
        ids: chosen.map(({ id }) => id),
        reason,
      })}
      onDone={(answer) => {
        tell(answer)
        onDone()
      }}
    />
  )
}
