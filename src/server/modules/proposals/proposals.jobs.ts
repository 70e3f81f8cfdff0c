import { startLoops, type Loop } from '#server/platform/jobs/loop.ts'
import { takeEffect, type ProposalsDeps } from './proposals.service.ts'

/** Proposals without a second operator take effect after their delay. */
export function startProposalJobs(deps: ProposalsDeps): Loop[] {
  return startLoops(deps.log, [{ name: 'proposals', pauseMs: 30_000, round: () => takeEffect(deps) }])
}
