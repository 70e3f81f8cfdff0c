import type { AnswerOf, QueryOf } from '#contract/endpoint.ts'
import type { Milestones, operatorMilestones } from '#contract/operator/promotions.ts'
import { actAsOperator, changeRow } from '#server/modules/audit/index.ts'
import { propose, type ProposalKinds, type ProposedChange } from '#server/modules/proposals/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sqlState, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import type { ListPage, ListRows } from '#server/platform/http/list.ts'
import { invalidField, notFound, Refusal } from '#server/platform/values/errors.ts'
import {
  findProgram,
  findStates,
  insertProgram,
  lockProgram,
  markRunning,
  markStopped,
  overlapsRunning,
  selectPrograms,
} from './programs.queries.ts'

export type ProgramsDeps = PlatformDeps & { proposalKinds: ProposalKinds; isSecondPersonNeeded: boolean }

const conflict = (message: string, milestones: Milestones) =>
  new Refusal('CONFLICT', { message, present: { milestones } })

export const listPrograms = (
  db: Db,
  filter: NonNullable<QueryOf<typeof operatorMilestones.list>['filter']>,
  page: ListPage,
): Promise<ListRows<Milestones>> => selectPrograms(db, filter, page)

async function getProgram(db: Db | Tx, id: string): Promise<Milestones> {
  const found = await findProgram(db, id)
  if (found === undefined) throw notFound()
  return found
}

export const planProgram = (deps: ProgramsDeps, call: UserCall<typeof operatorMilestones.plan>) =>
  changeRow<Milestones>(deps, call, {
    action: 'milestones.plan',
    type: 'milestones',
    async work(tx) {
      const { reason: _, ...program } = call.body
      if (Date.parse(program.ends_at) <= deps.clock.now().getTime())
        throw invalidField('ends_at', 'Giờ kết thúc phải ở sau lúc này')
      const id = await insertProgram(tx, { ...program, madeBy: call.identity.userId })
      return { before: null, after: await getProgram(tx, id) }
    },
  })

type StartAnswer = AnswerOf<typeof operatorMilestones.start>

/** Starts a programme once a second person approves: what it gives costs money. */
export async function startProgram(
  deps: ProgramsDeps,
  call: UserCall<typeof operatorMilestones.start>,
): Promise<StartAnswer> {
  const { params, body, identity, request } = call
  return actAsOperator<StartAnswer>(deps, call, {
    action: 'milestones.start',
    async work(tx) {
      const refusal = await whyNotStarted(tx, params.id)
      const program = await getProgram(tx, params.id)
      if (refusal !== null) throw conflict(refusal, program)
      const proposal = await propose(deps, tx, {
        kind: 'milestones',
        subject: program.id,
        payload: { before: 'planned', after: 'running' },
        reason: body.reason,
        operatorId: identity.userId,
        requestId: request.id,
      })
      if (proposal !== null) return { answer: { proposal }, audit: null }
      await run(tx, program.id)
      const after = await getProgram(tx, program.id)
      return { answer: { milestones: after }, audit: recorded(program, after) }
    },
  })
}

/** Locks a programme, and says why it cannot be started now; null: it can. */
async function whyNotStarted(tx: Tx, id: string): Promise<string | null> {
  const locked = await lockProgram(tx, id)
  if (locked?.state !== 'planned') return 'Chương trình này đã chạy hoặc đã dừng, vui lòng tải lại trang'
  if (locked.isOver) return 'Thời gian của chương trình này đã qua hết'
  return (await overlapsRunning(tx, id)) ? OVERLAPS : null
}

const OVERLAPS =
  'Một chương trình khác đang chạy trong thời gian này. Hãy dừng nó trước, hoặc lập chương trình vào lúc khác.'

/** What SQLSTATE 23P01 says: an exclusion constraint refuses the row. */
const EXCLUDED = '23P01'

/** Of two that are started at the same moment, the second one is refused. */
async function run(tx: Tx, id: string): Promise<void> {
  try {
    await markRunning(tx, id)
  } catch (error) {
    throw sqlState(error) === EXCLUDED ? new Refusal('CONFLICT', { message: OVERLAPS }) : error
  }
}

/** Ends a programme at once: nothing more is taken. */
export const stopProgram = (deps: ProgramsDeps, call: UserCall<typeof operatorMilestones.stop>) =>
  actAsOperator<Milestones>(deps, call, {
    action: 'milestones.stop',
    async work(tx) {
      const { id } = call.params
      const locked = await lockProgram(tx, id)
      const before = await getProgram(tx, id)
      if (locked?.state === 'stopped')
        throw conflict('Chương trình này đã dừng, vui lòng tải lại trang', before)
      await markStopped(tx, { id, by: call.identity.userId })
      const after = await getProgram(tx, id)
      return { answer: after, audit: recorded(before, after) }
    },
  })

const recorded = (before: Milestones, after: Milestones) => ({
  subject: { type: 'milestones', id: after.id },
  details: {
    before: { title: before.title, state: before.state },
    after: { title: after.title, state: after.state },
  },
})

/** How a programme that a second person approved is started. */
export const milestoneProposals = {
  async titleOf(id: string, db: Db | Tx): Promise<string> {
    return `Chạy mốc nạp “${(await findStates(db, [id])).get(id)?.title ?? id}”`
  },
  async readMany(db: Db, ids: readonly string[]): Promise<Map<string, string | null>> {
    const states = await findStates(db, ids)
    return new Map(ids.map((id) => [id, states.get(id)?.state ?? null]))
  },
  /** False when it was stopped, its time has passed, or another one runs within it. */
  async apply(tx: Tx, { subject }: ProposedChange): Promise<boolean> {
    if ((await whyNotStarted(tx, subject)) !== null) return false
    await run(tx, subject)
    return true
  },
} as const
