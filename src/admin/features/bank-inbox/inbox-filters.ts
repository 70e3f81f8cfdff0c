import { TRANSFER_STATES } from '#contract/operator/bank-transfers.ts'
import { inboxCopy as copy } from '#admin/features/bank-inbox/inbox.copy.ts'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'

/** The filters of the inbox, by which the next and the previous transfer are found too. */
export const inboxFilters: readonly Filter[] = [
  { name: 'q', label: copy.search },
  {
    name: 'state',
    label: copy.state,
    options: [
      ...TRANSFER_STATES.map((value) => ({ value, label: copy.states[value] })),
      { value: 'all', label: kitCopy.list.all },
    ],
    // What is looked for may be in any state.
    usual: ({ q, waiting }) => (q || waiting ? 'all' : 'review'),
  },
  {
    name: 'direction',
    label: copy.direction,
    options: Object.entries(copy.directions).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'channel',
    label: copy.channel,
    type: 'number',
    options: Object.entries(kitCopy.channels).map(([value, label]) => ({ value, label })),
  },
  {
    name: 'waiting',
    label: copy.waiting,
    type: 'flag',
    options: [{ value: 'true', label: copy.onlyWaiting }],
  },
  { name: 'account', label: copy.account },
  { name: 'amount', label: copy.amount, type: 'number' },
  { name: 'from', label: copy.from, type: 'date' },
  { name: 'to', label: copy.to, type: 'date' },
]
