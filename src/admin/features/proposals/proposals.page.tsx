import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { operatorProposals, PROPOSAL_STATES, type OperatorProposal } from '#contract/operator/proposals.ts'
import { proposalsCopy as copy } from '#admin/features/proposals/proposals.copy.ts'
import {
  afterText,
  isSettingProposal,
  placeOf,
  subjectTitle,
  WaitingProposal,
} from '#admin/features/proposals/waiting-proposal.tsx'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useOperator } from '#admin/session/console-session.ts'

const columns: readonly Column<OperatorProposal>[] = [
  {
    name: 'what',
    label: copy.columns.what,
    cell: (proposal) =>
      isSettingProposal(proposal) ? (
        <Link to={`/audit?subject_type=${proposal.kind}&subject_id=${proposal.subject}`}>
          {subjectTitle(proposal)}
        </Link>
      ) : (
        <Link to={placeOf(proposal)}>{subjectTitle(proposal)}</Link>
      ),
  },
  {
    name: 'after',
    label: copy.columns.after,
    cell: afterText,
  },
  { name: 'proposer', label: copy.columns.proposer, cell: ({ proposed_by }) => proposed_by.username },
  { name: 'at', label: copy.columns.at, cell: ({ proposed_at }) => momentText(proposed_at) },
  { name: 'state', label: copy.columns.state, cell: ({ state }) => copy.states[state] },
  { name: 'decider', label: copy.columns.decider, cell: ({ decided_by }) => decided_by?.username ?? '—' },
  { name: 'reason', label: copy.columns.reason, cell: ({ reason }) => reason },
]

const WAITING = { filter: JSON.stringify({ state: 'waiting' }), range: '[0,99]' }

export function Component() {
  const { id: me } = useOperator()
  return (
    <ScreenFrame title={copy.title}>
      <Loaded query={read(operatorProposals.list, { query: WAITING })}>
        {(waiting) => (
          <>
            <Group title={copy.waitingForMe} empty={copy.nothingWaits}>
              {waiting
                .filter(({ proposed_by }) => proposed_by.id !== me)
                .map((proposal) => (
                  <WaitingProposal key={proposal.id} proposal={proposal} acts={['approve', 'reject']} />
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
          filters={[
            {
              name: 'state',
              label: copy.columns.state,
              options: PROPOSAL_STATES.map((value) => ({ value, label: copy.states[value] })),
            },
          ]}
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
