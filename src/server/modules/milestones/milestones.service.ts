import type { RawBuilder } from 'kysely'
import { milestoneSentence, missingTo } from '#contract/rewards/milestone-rules.ts'
import type { MilestoneProgram } from '#contract/rewards/milestones.ts'
import { formatNumber } from '#contract/format.ts'
import { addGiven } from '#server/modules/audit/index.ts'
import { foundNoticesPart } from '#server/modules/notices/index.ts'
import { type PurchaseDeps, takeReward } from '#server/modules/purchases/index.ts'
import type { PlatformDeps } from '#server/domain/deps.ts'
import { readGameNames } from '#server/domain/game-names.ts'
import { eraseNothing, type PersonalPart } from '#server/domain/personal-part.ts'
import type { Tx } from '#server/platform/db/transaction.ts'
import { orNotFound, Refusal } from '#server/platform/values/errors.ts'
import {
  claimsOfPerson,
  countClaim,
  findStep,
  selectCurrent,
  selectSteps,
  type Recharge,
  stepsReachedBy,
  sumRecharged,
  upsertClaim,
} from './milestones.queries.ts'

/** The programme of the moment; a visitor has recharged nothing. */
export async function readMilestones(
  { db, clock }: Pick<PlatformDeps, 'db' | 'clock'>,
  userId: string | null,
): Promise<MilestoneProgram | null> {
  const program = await selectCurrent(db, clock.now())
  if (program === undefined) return null
  const names = await readGameNames(db)
  const steps = (await selectSteps(db, program.id, userId)).map(({ goods, ...step }) => ({
    ...step,
    goods: names.withItemNames(goods),
  }))
  const recharged = userId === null ? 0 : await sumRecharged(db, userId, program)
  const { id, title, claimsMax } = program
  const span = {
    starts_at: program.startsAt.toISOString(),
    ends_at: program.endsAt.toISOString(),
    claims_until: program.claimsUntil.toISOString(),
  }
  const sentence = milestoneSentence({ ...span, steps, claims_max: claimsMax })
  return { id, title, sentence, ...span, recharged, steps }
}

/** Tells a player about the steps that a recharge brings them over, as a part of the statement that stores it as credited. */
export const reachedStepsPart = (tx: Tx, recharge: Recharge, now: Date): RawBuilder<unknown> =>
  foundNoticesPart(tx, recharge.userId, {
    event: 'milestone-reached',
    found: stepsReachedBy(recharge, now),
  })

type Request = Omit<Parameters<typeof takeReward>[1], 'scope'>

/** The goods of a step that was reached. What was recharged is added up once the player's wallet is locked. */
export const takeStep = (deps: PurchaseDeps, id: string, request: Request) =>
  takeReward(deps, { ...request, scope: `milestones:${id}` }, async (tx) => {
    const step = orNotFound(await findStep(tx, id, deps.clock.now()))
    const missing = missingTo(step.at, await sumRecharged(tx, request.userId, step))
    if (missing > 0) throw notReached(missing)
    if (!(await countClaim(tx, { userId: request.userId, stepId: id }))) throw usedUp()
    const promise = { kind: 'milestones', subject: step.programId } as const
    return {
      goods: step.goods,
      givenFor: `milestone:${step.programId}:${id}`,
      taken: () => new Refusal('ALREADY_CLAIMED'),
      count: (amount) => addGiven(tx, { ...promise, amount }),
      record: (deliveryId) => upsertClaim(tx, { userId: request.userId, stepId: id, deliveryId }),
    }
  })

const notReached = (missing: number) =>
  new Refusal('MILESTONE_NOT_REACHED', {
    message: `Bạn còn thiếu ${formatNumber(missing)} VND để đạt mốc này`,
  })

const usedUp = () =>
  new Refusal('GOODS_UNAVAILABLE', { message: 'Mốc này đã hết suất nhận quà, vui lòng xem các mốc khác' })

/** What somebody took stays with the deliveries. */
export const personalMilestones: PersonalPart = {
  lists: { milestones: claimsOfPerson },
  erase: eraseNothing,
}
