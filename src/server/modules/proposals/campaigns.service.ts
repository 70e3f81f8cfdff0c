import type { OperatorAct } from '#contract/operator/act-guards.ts'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import { type ActCall, actAsOperator } from '#server/modules/audit/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { conflict, invalidField } from '#server/platform/values/errors.ts'
import { type CampaignKind, findCampaigns } from './proposals.queries.ts'
import { propose, type ProposalsDeps, type ProposedChange } from './proposals.service.ts'

// A campaign is what operators plan, start once a second person approves, and stop: a promotion, a batch of gift codes, a
// programme of milestones. Its own module has its table and its rules.

type Row = { id: string; title: string; state: 'planned' | 'running' | 'stopped' }

/** `Answer`: how calls and refusals show it. */
type Campaign<R extends Row, Answer> = {
  kind: CampaignKind
  acts: { start: OperatorAct; stop: OperatorAct }
  titleOfStart(title: string): string
  alreadyStopped: string
  lock(tx: Tx, id: string): Promise<unknown>
  /** Throws NOT_FOUND. */
  get(tx: Tx, id: string): Promise<R>
  answerOf(row: R): Answer
  /** Locks it, and says why it cannot be started now; null: it can. */
  whyNotStarted(tx: Tx, id: string): Promise<string | null>
  /** It is locked, and can be started. */
  startNow(tx: Tx, id: string, by: ProposedChange['by']): Promise<void>
  /** It is locked, and not stopped yet. */
  stopNow(tx: Tx, stopped: { id: string; by: string }): Promise<void>
}

type CampaignCall = ActCall & { params: { id: string }; body: { reason: string } }

/** Throws where a campaign that is being planned would be over already. */
export function assertEndsLater({ clock }: Pick<PlatformDeps, 'clock'>, endsAt: string): void {
  if (Date.parse(endsAt) <= clock.now().getTime())
    throw invalidField('ends_at', 'Giờ kết thúc phải ở sau lúc này')
}

/** Starts a campaign once a second person approves: what it gives costs money. */
async function startCampaign<R extends Row, Answer>(
  deps: ProposalsDeps,
  call: CampaignCall,
  { kind, acts, get, answerOf, whyNotStarted, startNow }: Campaign<R, Answer>,
): Promise<Answer | { proposal: OperatorProposal }> {
  const { id } = call.params
  const { reason } = call.body
  const by = { operatorId: call.identity.userId, requestId: call.request.id }
  return actAsOperator<Answer | { proposal: OperatorProposal }>(deps, call, {
    action: acts.start,
    async work(tx) {
      const refusal = await whyNotStarted(tx, id)
      const before = await get(tx, id)
      if (refusal !== null) throw conflict(refusal, answerOf(before))
      const payload = { before: 'planned', after: 'running' }
      const proposal = await propose(deps, tx, { kind, subject: id, payload, reason, ...by })
      if (proposal !== null) return { answer: { proposal }, audit: null }
      await startNow(tx, id, by)
      const after = await get(tx, id)
      return { answer: answerOf(after), audit: recorded(kind, before, after) }
    },
  })
}

/** Ends a campaign at once. */
const stopCampaign = <R extends Row, Answer>(
  deps: ProposalsDeps,
  call: CampaignCall,
  { kind, acts, alreadyStopped, lock, get, answerOf, stopNow }: Campaign<R, Answer>,
): Promise<R> =>
  actAsOperator<R>(deps, call, {
    action: acts.stop,
    async work(tx) {
      const { id } = call.params
      await lock(tx, id)
      const before = await get(tx, id)
      if (before.state === 'stopped') throw conflict(alreadyStopped, answerOf(before))
      await stopNow(tx, { id, by: call.identity.userId })
      const after = await get(tx, id)
      return { answer: after, audit: recorded(kind, before, after) }
    },
  })

const recorded = (kind: CampaignKind, before: Row, after: Row) => ({
  subject: { type: kind, id: after.id },
  details: {
    before: { title: before.title, state: before.state },
    after: { title: after.title, state: after.state },
  },
})

/** How a campaign that a second person approved is started. */
const campaignProposals = <R extends Row, Answer>({
  kind,
  titleOfStart,
  whyNotStarted,
  startNow,
}: Campaign<R, Answer>) => ({
  async titleOf(id: string, db: Db | Tx): Promise<string> {
    return titleOfStart((await findCampaigns(db, kind, [id])).get(id)?.title ?? id)
  },
  async readMany(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
    const campaigns = await findCampaigns(db, kind, ids)
    return new Map(ids.map((id) => [id, campaigns.get(id)?.state ?? null]))
  },
  /** False when it cannot be started any more: it was stopped, its time has passed, its budget holds too little. */
  async apply(tx: Tx, { subject, by }: ProposedChange): Promise<boolean> {
    if ((await whyNotStarted(tx, subject)) !== null) return false
    await startNow(tx, subject, by)
    return true
  },
})

/** The acts that start and stop a campaign, and its proposals. */
export const campaignActs = <R extends Row, Answer>(campaign: Campaign<R, Answer>) => ({
  start: (deps: ProposalsDeps, call: CampaignCall) => startCampaign(deps, call, campaign),
  stop: (deps: ProposalsDeps, call: CampaignCall) => stopCampaign(deps, call, campaign),
  proposals: campaignProposals(campaign),
})
