import { randomUUID } from 'node:crypto'
import type { Good } from '#contract/deliveries.ts'
import type { OperatorAct } from '#contract/operator/act-guards.ts'
import { COSTS_NOTHING, type ProposalTerms } from '#contract/operator/proposal-terms.ts'
import type { OperatorProposal } from '#contract/operator/proposals.ts'
import { type GoodsPrices, pricesInWords } from '#contract/operator/rewards/goods-worth.ts'
import {
  type ActCall,
  actAsOperator,
  endPromise,
  promiseGoods,
  type Recorded,
  whyGoodsLimited,
} from '#server/modules/audit/index.ts'
import { goodsPrices, readSettings, type SettingValues } from '#server/modules/settings/index.ts'
import { goodsAmount } from '#server/domain/goods-catalogue.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { assertPermitted } from '#server/platform/http/api.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import type { ListPage } from '#server/platform/http/list.ts'
import { changedMeanwhile, conflict, invalidField } from '#server/platform/values/errors.ts'
import { proposedCoins } from './coin-proposals.service.ts'
import {
  type CampaignKind,
  findCampaigns,
  findRunningTitles,
  lockWaiting,
  type OwnChange,
} from './proposals.queries.ts'
import {
  applyAll,
  type Proposed,
  propose,
  type ProposalsDeps,
  type ProposedChange,
  termsOfOne,
  voidWaiting,
} from './proposals.service.ts'

// A campaign is what operators plan, start once a second person approves, and stop: a promotion, a batch of gift codes, a
// programme of milestones. Its own module has its table and its rules.

type Row = { id: string; title: string; state: 'planned' | 'running' | 'stopped'; updated_at: string }

/** `Answer`: how calls and refusals show it. */
type Campaign<R extends Row, Answer> = {
  kind: CampaignKind
  acts: { plan: OperatorAct; update: OperatorAct; start: OperatorAct; stop: OperatorAct }
  titleOfStart(title: string): string
  alreadyStopped: string
  notPlanned: string
  lock(tx: Tx, id: string): Promise<unknown>
  /** Throws NOT_FOUND. */
  get(tx: Tx, id: string): Promise<R>
  answerOf(row: R): Answer
  /** Those of these ids, by one statement. */
  list(db: Db, ids: readonly string[]): Promise<R[]>
  /** Its terms, without what runs beside it. */
  termsOf(row: R, prices: GoodsPrices): ProposalTerms
  /** The most goods without payment that it gives, and until when, where it gives goods. */
  promiseOf?: (row: R) => { gives: readonly { goods: readonly Good[]; times: number }[]; endsAt: string }
  /** The budget that it takes TCoin from, where its kind does. */
  budgetOf?: (row: R) => string | null
  /** What the campaigns of this kind are called in the middle of a sentence. */
  plural: string
  /** Locks it, and says why it cannot be started now, with so many TCoin more in its budget; null: it can. */
  whyNotStarted(tx: Tx, id: string, funding: number): Promise<string | null>
  /** It is locked, and can be started. */
  startNow(tx: Tx, id: string, by: ProposedChange['by']): Promise<void>
  /** It is locked, and not stopped yet. */
  stopNow(tx: Tx, stopped: { id: string; by: string }): Promise<void>
}

/** The page of a list that has these rows, however many they are. */
export const allOfThem = (ids: readonly string[]): ListPage => ({ order: 'asc', from: 0, to: ids.length - 1 })

type CampaignCall = ActCall & {
  params: { id: string }
  body: { reason: string; funding?: number | undefined }
}

/** Throws where a campaign that is being planned would be over already. */
export function assertEndsLater({ clock }: Pick<PlatformDeps, 'clock'>, endsAt: string): void {
  if (Date.parse(endsAt) <= clock.now().getTime())
    throw invalidField('ends_at', 'Giờ kết thúc phải ở sau lúc này')
}

/** Starts a campaign once a second person approves: what it gives costs money. */
const startCampaign = <R extends Row, Answer>(
  deps: ProposalsDeps,
  call: CampaignCall,
  campaign: Campaign<R, Answer>,
): Promise<Answer | { proposal: OperatorProposal }> =>
  actAsOperator<Answer | { proposal: OperatorProposal }>(deps, call, {
    action: campaign.acts.start,
    async work(tx) {
      const { row, ...started } = await startIn(deps, tx, { call, campaign, id: call.params.id })
      return 'proposal' in started
        ? { answer: { proposal: started.proposal }, audit: null }
        : { answer: campaign.answerOf(row), audit: started.audit }
    },
  })

type StartIn<R extends Row, Answer> = {
  call: Omit<CampaignCall, 'params'>
  campaign: Campaign<R, Answer>
  id: string
}

/** What starting came to: it waits for a second person, or it was done. */
type Started<R> = { row: R } & ({ proposal: OperatorProposal } | { audit: Recorded[] })

/** Starts a campaign in the caller's transaction, with what its budget is given for it, or proposes both as one. */
async function startIn<R extends Row, Answer>(
  deps: ProposalsDeps,
  tx: Tx,
  { call, campaign, id }: StartIn<R, Answer>,
): Promise<Started<R>> {
  const { kind, acts, get, answerOf, whyNotStarted, startNow } = campaign
  const { reason, funding = 0 } = call.body
  const by = { operatorId: call.identity.userId, requestId: call.request.id }
  const refused = await whyNotStarted(tx, id, funding)
  const before = await get(tx, id)
  const promise = await promiseOf(tx, { campaign, row: before, operatorId: by.operatorId })
  const refusal = refused ?? (promise && (await whyGoodsLimited(tx, promise)))
  if (refusal !== null) throw conflict(refusal, answerOf(before))
  const parts = funding === 0 ? [] : [fundingOf({ call, funding, budget: campaign.budgetOf?.(before) })]
  const change = { kind, subject: id, payload: { before: 'planned', after: 'running' }, parts }
  const proposal = await propose(deps, tx, { ...change, reason, ...by })
  if (proposal !== null) return { row: before, proposal }
  const terms = await termsOfOne(deps, tx, change)
  const applied = { proposalId: randomUUID(), reason, proposedBy: by.operatorId, by, changes: parts }
  if (!(await applyAll(deps, tx, applied)))
    throw invalidField('funding', 'Ngân sách không nhận được số TCoin này')
  if (promise !== null) await promiseGoods(tx, promise)
  await startNow(tx, id, by)
  const after = await get(tx, id)
  const funded = parts.map(({ subject }) => ({
    action: 'budgets.fund' as const,
    subject: { type: 'budget', id: subject },
    details: { amount: funding },
  }))
  return {
    row: after,
    audit: [{ ...recorded(kind, before, { ...after, terms }), action: acts.start }, ...funded],
  }
}

type Funding = { call: Omit<CampaignCall, 'params'>; funding: number; budget: string | null | undefined }

/** Filling the budget of a campaign together with its start: it takes the permission that filling takes. */
function fundingOf({ call, funding, budget }: Funding): OwnChange {
  assertPermitted(call, 'settings.money')
  if (budget === null || budget === undefined)
    throw invalidField('funding', 'Quà trong game không lấy từ ngân sách')
  return { kind: 'budget', subject: budget, payload: proposedCoins(funding) }
}

type Planning = {
  call: ActCall & { body: { reason: string; start?: boolean | undefined; funding?: number | undefined } }
  /** Writes it down. Answers its id, and what else was done for it. */
  insert(): Promise<{ id: string; made: Recorded[] }>
}

/** Writes a campaign down in the caller's transaction and, where the caller says so, proposes its start with it. */
async function planIn<R extends Row, Answer>(
  deps: ProposalsDeps,
  tx: Tx,
  { campaign, call, insert }: Planning & { campaign: Campaign<R, Answer> },
): Promise<{ row: R; proposal: OperatorProposal | null; audit: Recorded[] }> {
  const { start, funding } = call.body
  if (funding !== undefined && start !== true)
    throw invalidField('funding', 'Ngân sách chỉ được cấp cùng lúc với đề xuất chạy')
  const { id, made } = await insert()
  const planned = await campaign.get(tx, id)
  const audit = [{ subject: { type: campaign.kind, id }, details: { before: null, after: planned } }, ...made]
  if (start !== true) return { row: planned, proposal: null, audit }
  const { row, ...started } = await startIn(deps, tx, { call, campaign, id })
  return 'proposal' in started
    ? { row, proposal: started.proposal, audit }
    : { row, proposal: null, audit: [...audit, ...started.audit] }
}

type Editing<R> = {
  call: ActCall & { params: { id: string }; body: { reason: string; updated_at: string } }
  /** Writes the new terms over the present ones. Answers what else was done for it. */
  change(tx: Tx, before: R): Promise<Recorded[]>
}

/** Changes the terms of a campaign that was never started. What waits about it is closed: nobody was shown the new terms. */
const updateCampaign = <R extends Row, Answer>(
  deps: ProposalsDeps,
  { call, change }: Editing<R>,
  { kind, acts, lock, get, answerOf, notPlanned }: Campaign<R, Answer>,
): Promise<R> =>
  actAsOperator<R>(deps, call, {
    action: acts.update,
    async work(tx) {
      const { id } = call.params
      // In the order in which an approval locks.
      await lockWaiting(tx, { kind, subject: id })
      await lock(tx, id)
      const before = await get(tx, id)
      if (before.state !== 'planned') throw conflict(notPlanned, answerOf(before))
      if (before.updated_at !== call.body.updated_at) throw changedMeanwhile(answerOf(before) as object)
      const made = await change(tx, before)
      const { reason } = call.body
      const voided = await voidWaiting(deps, tx, { kind, subject: id, by: call.identity.userId, reason })
      const after = await get(tx, id)
      return {
        answer: after,
        audit: [{ subject: { type: kind, id }, details: { before, after } }, ...made, ...voided],
      }
    },
  })

type Starting<R extends Row, Answer> = {
  campaign: Pick<Campaign<R, Answer>, 'kind' | 'promiseOf'>
  row: R
  operatorId: string
}

/** The goods that a campaign promises from its start, asked for by this operator and agreed to by a second person; null: none. */
async function promiseOf<R extends Row, Answer>(tx: Tx, { campaign, row, operatorId }: Starting<R, Answer>) {
  const { kind } = campaign
  const promise = campaign.promiseOf?.(row)
  if (promise === undefined || kind === 'promotion') return null
  const { goodsLimits: limits } = await readSettings(tx)
  const amount = await goodsAmount(tx, promise.gives)
  const what = { kind, subject: row.id, endsAt: new Date(promise.endsAt) } as const
  return { ...what, operatorId, amount, isAlone: false, limits }
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
      if (kind !== 'promotion') await endPromise(tx, { kind, subject: id })
      const after = await get(tx, id)
      return { answer: after, audit: recorded(kind, before, after) }
    },
  })

const recorded = (kind: CampaignKind, before: Row, after: Row & { terms?: ProposalTerms }) => ({
  subject: { type: kind, id: after.id },
  details: {
    before: { title: before.title, state: before.state },
    after: { title: after.title, state: after.state },
    ...(after.terms && { terms: after.terms }),
  },
})

/** How a campaign that a second person approved is started. */
const campaignProposals = <R extends Row, Answer>({
  kind,
  titleOfStart,
  whyNotStarted,
  startNow,
  list,
  termsOf,
  plural,
  get,
  ...campaign
}: Campaign<R, Answer>) => ({
  async titleOf(id: string, db: Db | Tx): Promise<string> {
    return titleOfStart((await findCampaigns(db, kind, [id])).get(id)?.title ?? id)
  },
  async termsOf(
    db: Db | Tx,
    changes: readonly Proposed[],
    settings: SettingValues,
  ): Promise<ProposalTerms[]> {
    const ids = changes.map(({ subject }) => subject)
    const rows = new Map((await list(db, ids)).map((row) => [row.id, row]))
    const running = await findRunningTitles(db, kind)
    const prices = goodsPrices(settings)
    return changes.map(({ subject }) => {
      const row = rows.get(subject)
      if (row === undefined) return { lines: [], worst: COSTS_NOTHING }
      const { lines, worst } = termsOf(row, prices)
      const titles = running.map((title) => `“${title}”`).join(', ') || 'không có'
      const beside = { label: `Các ${plural} đang chạy`, before: titles, after: `thêm “${row.title}”` }
      return { lines: [...lines, beside], worst: `${worst} (${pricesInWords(prices)})` }
    })
  },
  async readMany(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
    const campaigns = await findCampaigns(db, kind, ids)
    return new Map(ids.map((id) => [id, campaigns.get(id)?.state ?? null]))
  },
  /** Throws the reason why it cannot be started any more: it was stopped, its time has passed, its budget holds too little. */
  async apply(tx: Tx, { subject, by, proposedBy }: ProposedChange): Promise<boolean> {
    const refusal = await whyNotStarted(tx, subject, 0)
    if (refusal !== null) throw conflict(refusal)
    const row = await get(tx, subject)
    const promise = await promiseOf(tx, { campaign: { kind, ...campaign }, row, operatorId: proposedBy })
    if (promise !== null) await promiseGoods(tx, { ...promise, isAlone: by.operatorId === proposedBy })
    await startNow(tx, subject, by)
    return true
  },
})

/** What is done with a campaign of one kind, and its proposals. */
export const campaignActs = <R extends Row, Answer>(campaign: Campaign<R, Answer>) => ({
  planIn: (deps: ProposalsDeps, tx: Tx, planning: Planning) => planIn(deps, tx, { campaign, ...planning }),
  update: (deps: ProposalsDeps, editing: Editing<R>) => updateCampaign(deps, editing, campaign),
  start: (deps: ProposalsDeps, call: CampaignCall) => startCampaign(deps, call, campaign),
  stop: (deps: ProposalsDeps, call: CampaignCall) => stopCampaign(deps, call, campaign),
  proposals: campaignProposals(campaign),
})
