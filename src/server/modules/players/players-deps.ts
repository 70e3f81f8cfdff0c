import type { ProposalKinds } from '#server/modules/proposals/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'

export type PlayersDeps = PlatformDeps & {
  /** The base of links in mails. */
  publicUrl: string
  proposalKinds: ProposalKinds
  isSecondPersonNeeded: boolean
}
