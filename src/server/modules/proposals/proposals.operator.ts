import { operatorProposals } from '#contract/operator/proposals.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listRange, readListQuery } from '#server/platform/http/list.ts'
import { decide, listOperatorProposals, PROPOSAL_LIST } from './deciding.service.ts'
import type { ProposalsDeps } from './proposals.service.ts'

export function registerProposals(api: Api, deps: ProposalsDeps): void {
  api.serve(operatorProposals.list, async ({ query, reply }) => {
    const list = readListQuery({ sort: '["id","DESC"]', ...query }, PROPOSAL_LIST)
    return listRange(reply, 'proposals', { list, ...(await listOperatorProposals(deps, list)) })
  })
  api.serve(operatorProposals.approve, (call) => decide(deps, 'approve', call))
  api.serve(operatorProposals.reject, (call) => decide(deps, 'reject', call))
  api.serve(operatorProposals.withdraw, (call) => decide(deps, 'withdraw', call))
}
