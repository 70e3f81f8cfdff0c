import { PROPOSAL_PERMISSIONS } from '#contract/operator/proposals.ts'
import { settingDefinitions, settingText } from '#contract/operator/settings.ts'
import { formatMoment } from '#contract/format.ts'
import { listStaff } from '#server/modules/accounts/index.ts'
import { appendAudit } from '#server/modules/audit/index.ts'
import { queueMail, type Mail } from '#server/modules/mail/index.ts'
import { applySetting, lockSettingText } from '#server/modules/settings/index.ts'
import { inTransaction, type Tx } from '#server/platform/db/transaction.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { type Loop, startLoops } from '#server/platform/jobs/loop.ts'
import { workOff } from '#server/platform/queues/due-rows.ts'
import { listDueSettings, lockDuePlan, markPlan, type StoredPlan } from './planned-prices.queries.ts'

/** What the audit trail calls each step. */
const STEPS = {
  active: 'start',
  done: 'start',
  returned: 'return',
  'not-applied': 'give-up',
  'not-returned': 'give-up',
} as const

type DuePlanDeps = Pick<PlatformDeps, 'db' | 'vault' | 'log'>

const SETTINGS_AT_ONCE = 100

/** Lets plans come or go back whose time has come, however late; true when it did something. */
export const carryOutDuePlans = (deps: DuePlanDeps): Promise<boolean> =>
  workOff(deps, {
    job: 'planned prices',
    limit: SETTINGS_AT_ONCE,
    list: listDueSettings,
    async work(setting) {
      let steps = 0
      while (await carryOutNext(deps, setting)) steps += 1
      return steps > 0
    },
  })

/** Each step is made once: it is stored with the price in one transaction. */
async function carryOutNext(deps: DuePlanDeps, setting: string): Promise<boolean> {
  return inTransaction(deps.db, async (tx) => {
    const plan = await lockDuePlan(tx, setting)
    if (plan === undefined) return false
    const step = plan.state === 'active' ? await goBack(tx, plan) : await come(tx, plan)
    await markPlan(tx, plan, step === 'returned' ? 'done' : step)
    const { id, reason } = plan
    const did = STEPS[step]
    const [before, after] = step === 'returned' ? [plan.after, plan.before] : [plan.before, plan.after]
    await appendAudit(tx, {
      actor: { kind: 'system' },
      action: `planned-prices.${did}`,
      reason,
      subject: { type: 'setting', id: plan.setting },
      details: { plan_id: id, before, after, state: step },
    })
    if (step === 'not-applied' || step === 'not-returned') await mailStaff(deps, tx, { plan, state: step })
    return true
  })
}

/** The price comes, unless it has changed since it was planned, or the whole time has passed. */
async function come(
  tx: Tx,
  { setting, before, after, ends_at, isOver }: StoredPlan & { isOver: boolean },
): Promise<'active' | 'done' | 'not-applied'> {
  if (isOver || !(await applySetting(tx, { subject: setting, before, after }))) return 'not-applied'
  return ends_at === null ? 'done' : 'active'
}

/** The price goes back, unless somebody has changed it meanwhile; to the same value is no change. */
async function goBack(tx: Tx, { setting, before, after }: StoredPlan): Promise<'returned' | 'not-returned'> {
  if ((await lockSettingText(tx, setting)) === before) return 'returned'
  const isDone = await applySetting(tx, { subject: setting, before: after, after: before })
  return isDone ? 'returned' : 'not-returned'
}

async function mailStaff(
  { vault }: Pick<PlatformDeps, 'vault'>,
  tx: Tx,
  { plan, state }: { plan: StoredPlan; state: 'not-applied' | 'not-returned' },
): Promise<void> {
  for (const { username, email, recentPermissions } of await listStaff(tx)) {
    if (email === null || !recentPermissions.includes(PROPOSAL_PERMISSIONS['planned-price'])) continue
    await queueMail(vault, tx, notDoneMail({ username, email }, plan, state))
  }
}

/** Planned prices come and go back within seconds of their time. */
export function startPlannedPriceJobs(deps: PlatformDeps): Loop[] {
  return startLoops(deps.log, [
    { name: 'planned prices', pauseMs: 5_000, round: () => carryOutDuePlans(deps) },
  ])
}

type Receiver = { username: string; email: string }

/** To those who may change prices: a plan did not do what it was to do, and the price is as somebody left it. */
function notDoneMail(
  { username, email }: Receiver,
  plan: StoredPlan,
  state: 'not-applied' | 'not-returned',
): Mail {
  const { label } = settingDefinitions[plan.setting]
  const [before, after] = [settingText(plan.setting, plan.before), settingText(plan.setting, plan.after)]
  return {
    kind: 'planned-price',
    to: email,
    subject: `Lịch đổi giá không thực hiện được: ${label}`,
    username,
    paragraphs: [
      state === 'not-applied'
        ? `Giá “${label}” không được đổi từ ${before} thành ${after} lúc ${formatMoment(plan.starts_at)}: trước giờ đó giá đã được đổi thành giá trị khác, hoặc thời gian đã hẹn đã qua hết.`
        : `Giá “${label}” không được đưa từ ${after} về ${before} lúc ${formatMoment(plan.ends_at ?? '')}: trong thời gian đã hẹn giá đã được đổi thành giá trị khác.`,
      'Giá hiện tại được giữ nguyên. Hãy xem lại mục Cài đặt, phần Giá và hạn mức.',
    ],
    closing: [],
  }
}
