import { Link } from 'react-router'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { momentText, vnd } from '#admin/kit/format.ts'
import { OrderLink, PersonLink } from '#admin/kit/links.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import {
  type BankTransferDetail,
  operatorBankTransfers,
  type Suggestion,
} from '#contract/operator/bank-transfers.ts'
import type { Permission } from '#contract/operator/roles.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { inboxCopy } from './inbox.copy.ts'

const { doing: copy, proposal } = inboxCopy
const calls = operatorBankTransfers

/** What an operator may do with a transfer. The first two may already have a recipient. */
export type Act =
  | { name: 'match'; orderCode?: string; claimId?: string | null }
  | { name: 'credit'; username?: string; claimId?: string | null }
  | { name: 'refund' | 'gateway' | 'ignore' | 'reversal' | 'reverse' | 'approve' | 'reject' | 'withdraw' }

const WORDS: Readonly<Record<Act['name'], { label: string; submit?: string; text?: string }>> = {
  ...copy,
  approve: { label: proposal.approve },
  reject: { label: proposal.reject },
  withdraw: { label: proposal.withdraw },
}

type Offered = { key: string; label: string; act: Act }

type Who = { may: (permission: Permission) => boolean; username: string }

/** What can be done with the transfer in its state; the server checks again. */
export function actsOn(transfer: BankTransferDetail, { may, username }: Who): Offered[] {
  if (!may('bank-transfers.match')) return []
  const offer = (key: string, name: Act['name']): Offered => ({
    key,
    label: WORDS[name].label,
    act: { name },
  })
  if (transfer.waiting) {
    if (transfer.waiting.proposed_by.username === username) return [offer('w', 'withdraw')]
    return [offer('a', 'approve'), offer('x', 'reject')]
  }
  if (transfer.direction === 'out') return transfer.reversal_of === null ? [offer('t', 'reversal')] : []
  if (transfer.state === 'credited') return may('wallet.adjust') ? [offer('h', 'reverse')] : []
  if (transfer.state === 'refunded') return []
  return [
    offer('m', 'match'),
    offer('c', 'credit'),
    offer('r', 'refund'),
    ...(transfer.providers.includes('momo') ? [offer('o', 'gateway')] : []),
    ...(transfer.state === 'ignored' ? [] : [offer('i', 'ignore')]),
  ]
}

type Props = { transfer: BankTransferDetail; act: Act; onClose: () => void }

/** The props of every dialog here. */
type Common = {
  title: string
  submitLabel: string
  text: string | undefined
  params: { id: string }
  onClose: () => void
}

/** The dialog of one act: what will happen, what has to be named, the reason. */
export function TransferAct({ transfer, act, onClose }: Props) {
  const { label, submit = label, text } = WORDS[act.name]
  const common = { title: label, submitLabel: submit, text, params: { id: transfer.id }, onClose }
  switch (act.name) {
    case 'match':
      return <Match {...common} act={act} />
    case 'credit':
      return <Credit {...common} act={act} />
    case 'refund':
      return <Refund {...common} />
    case 'gateway':
      return <RefundAtGateway {...common} />
    case 'reversal':
      return <LinkReversal {...common} />
    default:
      return <ActDialog {...common} endpoint={PLAIN[act.name]} />
  }
}

type Named<Name> = Common & { act: Extract<Act, { name: Name }> }

const Match = ({ act, ...common }: Named<'match'>) => (
  <ActDialog
    {...common}
    endpoint={calls.match}
    start={{ order_code: act.orderCode ?? '' }}
    toBody={(values) => ({ ...values, claim_id: act.claimId ?? null })}
  >
    {(form) => <Field {...form.field('order_code')} label={copy.match.field} autoComplete="off" />}
  </ActDialog>
)

const Credit = ({ act, ...common }: Named<'credit'>) => (
  <ActDialog
    {...common}
    endpoint={calls.credit}
    start={{ username: act.username ?? '' }}
    toBody={(values) => ({ ...values, claim_id: act.claimId ?? null })}
  >
    {(form) => <Field {...form.field('username')} label={copy.credit.field} autoComplete="off" />}
  </ActDialog>
)

const Refund = (common: Common) => (
  <ActDialog {...common} endpoint={calls.refund} start={{ outgoing_reference: '', refunded_on: '' }}>
    {(form) => (
      <>
        <Field {...form.field('outgoing_reference')} label={copy.refund.field} autoComplete="off" />
        <Field {...form.field('refunded_on')} label={copy.refund.day} type="date" />
      </>
    )}
  </ActDialog>
)

const RefundAtGateway = (common: Common) => (
  <ActDialog
    {...common}
    endpoint={calls.refundAtGateway}
    start={{ amount: '' }}
    toBody={({ amount, reason }) => ({ amount: amount === '' ? null : Number(amount), reason })}
  >
    {(form) => <Field {...form.field('amount')} label={copy.gateway.field} inputMode="numeric" isOptional />}
  </ActDialog>
)

const LinkReversal = (common: Common) => (
  <ActDialog {...common} endpoint={calls.linkReversal} start={{ original_id: '' }}>
    {(form) => <Field {...form.field('original_id')} label={copy.reversal.field} inputMode="numeric" />}
  </ActDialog>
)

/** Acts that need nothing but a reason. */
const PLAIN = {
  ignore: calls.ignore,
  reverse: calls.reverseCredit,
  approve: calls.approve,
  reject: calls.reject,
  withdraw: calls.withdraw,
} as const

const suggestionsCopy = inboxCopy.suggestions

type SuggestionsProps = {
  transfer: BankTransferDetail
  /** Null for those who may only read. */
  onAct: ((act: Act) => void) | null
}

const tones = { strong: 'success', fair: 'waiting', weak: 'note' } as const

/** The possible recipients, the most likely first, each with the reason and the act that credits them. */
export function Suggestions({ transfer, onAct }: SuggestionsProps) {
  const isOpen = transfer.direction === 'in' && (transfer.state === 'review' || transfer.state === 'ignored')
  const acts = transfer.waiting ? null : onAct
  return (
    <Panel title={suggestionsCopy.title}>
      {transfer.suggestions.length === 0 ? (
        <p className="text-soft">{isOpen ? suggestionsCopy.none : suggestionsCopy.decided}</p>
      ) : (
        <ol className="space-y-3">
          {transfer.suggestions.map((one, place) => (
            <li key={`${one.user.id} ${one.order?.code ?? ''}`} className="rounded-lg border border-line p-3">
              <One suggestion={one} isFirst={place === 0} onAct={acts} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

type OneProps = { suggestion: Suggestion; isFirst: boolean; onAct: SuggestionsProps['onAct'] }

function One({ suggestion, isFirst, onAct }: OneProps) {
  const { strength, reasons, user, order, claim_id: claimId } = suggestion
  const kind = isFirst ? 'main' : 'plain'
  const isUnpaid = order !== null && !order.status.startsWith('paid')
  return (
    <div className="space-y-2">
      <p className="flex flex-wrap items-center gap-2">
        <PersonLink person={user} />
        <Badge tone={tones[strength]}>{suggestionsCopy.strengths[strength]}</Badge>
      </p>
      <ul className="list-disc pl-5 text-sm">
        {reasons.map(({ kind: reason, text }) => (
          <li key={reason} className="wrap-anywhere">
            {text}
          </li>
        ))}
      </ul>
      {(order || claimId) && (
        <p className="text-sm text-soft">
          {order && (
            <>
              <OrderLink code={order.code} /> · {vnd(order.amount)} · {momentText(order.created_at)}
            </>
          )}
          {order && claimId && ' · '}
          {claimId && (
            <Link to={`/recharge-claims/${claimId}`}>
              {suggestionsCopy.claim} {claimId}
            </Link>
          )}
        </p>
      )}
      {onAct &&
        (isUnpaid ? (
          <Button kind={kind} onClick={() => onAct({ name: 'match', orderCode: order.code, claimId })}>
            {suggestionsCopy.match} {order.code}
          </Button>
        ) : (
          <Button kind={kind} onClick={() => onAct({ name: 'credit', username: user.username, claimId })}>
            {suggestionsCopy.credit} {user.username}
          </Button>
        ))}
    </div>
  )
}
