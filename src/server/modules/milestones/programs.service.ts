import { CLAIMS_USUAL, type Milestones, type operatorMilestones } from '#contract/operator/promotions.ts'
import type { Good } from '#contract/deliveries.ts'
import { formatMoment, formatNumber, formatSpan } from '#contract/format.ts'
import { goodsWorth, sumOfGoods } from '#contract/operator/rewards/goods-worth.ts'
import { changeRow, whyAboveAct } from '#server/modules/audit/index.ts'
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
} from './programs.queries.ts'

export { selectPrograms as listPrograms } from './programs.queries.ts'

async function getProgram(db: Db | Tx, id: string): Promise<Milestones> {
  return orNotFound(await findProgram(db, id))
}

export const planProgram = (deps: ProposalsDeps, call: UserCall<typeof operatorMilestones.plan>) =>
  changeRow<Milestones>(deps, call, {
    action: 'milestones.plan',
    type: 'milestones',
    async work(tx) {
      const { reason: _, claims_max = CLAIMS_USUAL, ...terms } = call.body
      const program = { ...terms, claims_max: claims_max ?? CLAIMS_USUAL }
      assertEndsLater(deps, program.ends_at)
      const why = await whyNotPlanned(tx, goodsOf(program))
      if (why !== null) throw invalidField('steps', why)
      const { goodsLimits } = await readSettings(tx)
      const above = whyAboveAct(await goodsAmount(tx, givesOf(program)), goodsLimits)
      if (above !== null) throw invalidField('steps', above)
      const id = await insertProgram(tx, { ...program, madeBy: call.identity.userId })
      return { before: null, after: await getProgram(tx, id) }
    },
  })

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
export const {
  start: startProgram,
  stop: stopProgram,
  proposals: milestoneProposals,
} = campaignActs<Milestones, { milestones: Milestones }>({
  kind: 'milestones',
  acts: { start: 'milestones.start', stop: 'milestones.stop' },
  titleOfStart: (title) => `Chạy mốc nạp “${title}”`,
  alreadyStopped: 'Chương trình này đã dừng, vui lòng tải lại trang',
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
