import { CLAIMS_USUAL, type Milestones, type operatorMilestones } from '#contract/operator/promotions.ts'
import type { Good } from '#contract/deliveries.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatMoment, formatNumber, formatSpan } from '#contract/format.ts'
import { goodsWorth, sumOfGoods } from '#contract/operator/rewards/goods-worth.ts'
import { actAsOperator, whyAboveAct } from '#server/modules/audit/index.ts'
import {
  allOfThem,
  assertEndsLater,
  campaignActs,
  type ProposalsDeps,
} from '#server/modules/proposals/index.ts'
import { goodsAmount, whyNotPlanned, whyNotPromised } from '#server/domain/goods-catalogue.ts'
import { readSettings } from '#server/modules/settings/index.ts'
import type { Db } from '#server/platform/db/database.ts'
import { sqlState, type Tx } from '#server/platform/db/transaction.ts'
import type { UserCall } from '#server/platform/http/api.ts'
import { conflict, invalidField, orNotFound } from '#server/platform/values/errors.ts'
import {
  findProgram,
  insertProgram,
  lockProgram,
  markRunning,
  markStopped,
  overlapsRunning,
  selectPrograms,
  updateProgram,
} from './programs.queries.ts'

export { selectPrograms as listPrograms } from './programs.queries.ts'

async function getProgram(db: Db | Tx, id: string): Promise<Milestones> {
  return orNotFound(await findProgram(db, id))
}

type PlanCall = UserCall<typeof operatorMilestones.plan>
type PlanAnswer = AnswerOf<typeof operatorMilestones.plan>
type Terms = Omit<PlanCall['body'], 'start' | 'reason'>

/** Writes a programme down, with its start proposed where the caller says so. */
export const planProgram = (deps: ProposalsDeps, call: PlanCall): Promise<PlanAnswer> =>
  actAsOperator<PlanAnswer>(deps, call, {
    action: 'milestones.plan',
    async work(tx) {
      const { row, proposal, audit } = await planIn(deps, tx, {
        call,
        async insert() {
          const { reason: _, start: _start, ...terms } = call.body
          const program = await soundTerms(deps, tx, terms)
          return { id: await insertProgram(tx, { ...program, madeBy: call.identity.userId }), made: [] }
        },
      })
      return { answer: proposal === null ? row : { proposal }, audit }
    },
  })

export const changeProgram = (deps: ProposalsDeps, call: UserCall<typeof operatorMilestones.update>) =>
  update(deps, {
    call,
    async change(tx, { id, claims_max }) {
      const { reason: _, updated_at: _at, ...terms } = call.body
      await updateProgram(tx, { ...(await soundTerms(deps, tx, { claims_max, ...terms })), id })
      return []
    },
  })

/** Throws what is wrong with the terms of a programme that is being planned. */
async function soundTerms(deps: ProposalsDeps, tx: Tx, { claims_max, ...terms }: Terms) {
  const program = { ...terms, claims_max: claims_max ?? CLAIMS_USUAL }
  assertEndsLater(deps, program.ends_at)
  const why = await whyNotPlanned(tx, goodsOf(program))
  if (why !== null) throw invalidField('steps', why)
  const { goodsLimits } = await readSettings(tx)
  const above = whyAboveAct(await goodsAmount(tx, givesOf(program)), goodsLimits)
  if (above !== null) throw invalidField('steps', above)
  return program
}

/** The goods of a programme when as many players as may take each step. */
const givesOf = ({
  steps,
  claims_max,
}: Pick<Milestones, 'claims_max'> & { steps: readonly { goods: readonly Good[] }[] }) =>
  steps.map(({ goods }) => ({ goods, times: claims_max }))

const goodsOf = ({ steps }: { steps: readonly { goods: readonly Good[] }[] }) =>
  steps.map(({ goods }) => goods)

/** Locks a programme, and says why it cannot be started now; null: it can. */
async function whyNotStarted(tx: Tx, id: string): Promise<string | null> {
  const locked = await lockProgram(tx, id)
  if (locked?.state !== 'planned') return 'Chương trình này đã chạy hoặc đã dừng, vui lòng tải lại trang'
  if (locked.isOver) return 'Thời gian của chương trình này đã qua hết'
  const why = await whyNotPromised(tx, goodsOf(await getProgram(tx, id)))
  if (why !== null) return why
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
    throw sqlState(error) === EXCLUDED ? conflict(OVERLAPS) : error
  }
}

/** Once stopped nothing more of it is taken. */
const {
  planIn,
  update,
  start: startProgram,
  stop: stopProgram,
  proposals: milestoneProposals,
} = campaignActs<Milestones, { milestones: Milestones }>({
  kind: 'milestones',
  acts: {
    plan: 'milestones.plan',
    update: 'milestones.update',
    start: 'milestones.start',
    stop: 'milestones.stop',
  },
  titleOfStart: (title) => `Chạy mốc nạp “${title}”`,
  alreadyStopped: 'Chương trình này đã dừng, vui lòng tải lại trang',
  notPlanned: 'Chương trình này đã chạy hoặc đã dừng nên không sửa được nữa',
  lock: lockProgram,
  get: getProgram,
  answerOf: (milestones) => ({ milestones }),
  list: async (db, ids) => (await selectPrograms(db, { id: [...ids] }, allOfThem(ids))).rows,
  plural: 'mốc nạp',
  termsOf: (program, prices) => ({
    lines: [
      ...program.steps.map(({ at, goods }) => ({
        label: `Nạp đủ ${formatNumber(at)} đ`,
        before: null,
        after: goodsWorth(sumOfGoods([{ goods, times: 1 }]), prices),
      })),
      { label: 'Tính tiền nạp', before: null, after: formatSpan(program.starts_at, program.ends_at) },
      { label: 'Nhận quà đến', before: null, after: formatMoment(program.claims_until) },
      {
        label: 'Dành cho',
        before: null,
        after: `mọi người chơi đã kích hoạt, mỗi mốc một lần, cho ${formatNumber(program.claims_max)} người nhận đầu tiên`,
      },
    ],
    worst: goodsWorth(sumOfGoods(givesOf(program)), prices),
  }),
  promiseOf: (program) => ({ gives: givesOf(program), endsAt: program.claims_until }),
  whyNotStarted,
  startNow: run,
  stopNow: markStopped,
})

export { startProgram, stopProgram, milestoneProposals }
