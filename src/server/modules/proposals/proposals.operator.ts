import { operatorProposals } from '#contract/operator/proposals.ts'
import type { Api } from '#server/platform/http/api.ts'
import { listAnswer, readList } from '#server/platform/http/list.ts'
import { decide, listOperatorProposals, type DecidingDeps } from './deciding.service.ts'

export function registerProposals(api: Api, deps: DecidingDeps): void {
  api.serve(operatorProposals.list, async ({ query, identity, reply }) => {
    const page = readList(query, ['id', 'DESC'])
    const answer = await listOperatorProposals(deps, { ...page, ...identity }, page)
    return listAnswer(reply, 'proposals', { page, ...answer, isGrowing: true })
  })
  api.serve(operatorProposals.approve, (call) => decide(deps, 'approve', call))
  api.serve(operatorProposals.reject, (call) => decide(deps, 'reject', call))
  api.serve(operatorProposals.withdraw, (call) => decide(deps, 'withdraw', call))
}
