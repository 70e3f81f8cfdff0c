import { goodsInWords } from '#contract/deliveries.ts'
import { formatMoment, formatNumber } from '#contract/format.ts'
import { pages, paths } from '#contract/pages.ts'
import { missingTo, nextStep } from '#contract/rewards/milestone-rules.ts'
import { claimMilestone, type MilestoneProgram, type MilestoneStep } from '#contract/rewards/milestones.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { foldTitle } from '#ui/fold.ts'
import { Link } from '#web/navigation.tsx'
import type { Page } from '#web/page.ts'
import { LoadFailure } from '#web/parts/fallbacks/fallbacks.tsx'
import { MilestoneBar } from '#web/parts/rewards/milestone-bar.tsx'
import { useMilestones } from '#web/parts/rewards/rewards.api.ts'
import { useSession } from '#web/session/session-store.ts'
import { milestonesCopy as copy, rewardsCopy } from './rewards.copy.ts'
import { type Receiver, ReceiverChoice, useReceiver, useTaking, WhyNot } from './use-reward.tsx'

function MilestonesPage() {
  const { data: program, isError, refetch } = useMilestones()
  return (
    <div className="shell-width pt-4 sm:pt-6">
      <h1 className="brush-title text-2xl sm:text-3xl">{pages.milestones.title}</h1>
      <p className="mt-2 mb-4 max-w-text text-soft max-sm:text-sm">{copy.lead}</p>
      {program === undefined && (isError ? <LoadFailure onRetry={refetch} /> : <ProgramSkeleton />)}
      {program === null && (
        <PageState picture="empty" title={copy.none} text={copy.noneMore}>
          <Link to={paths.recharge} className={buttonClass()}>
            {copy.recharge}
          </Link>
        </PageState>
      )}
      {program && <Program program={program} again={refetch} />}
    </div>
  )
}

type ProgramProps = { program: MilestoneProgram; again: () => unknown }

function Program({ program, again }: ProgramProps) {
  const { user } = useSession()
  const receiver = useReceiver()
  const { title, starts_at, ends_at, claims_until, steps, recharged, sentence } = program
  const isDue = user !== null && steps.some((step) => isTakeable(step, recharged))
  const isAtEnd = user !== null && nextStep(steps, recharged) === undefined
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:gap-8">
      <div className="space-y-5">
        <section aria-label={title} className="rounded-xl border border-line bg-raised p-4 shadow-card">
          <h2 className="text-xl wrap-anywhere">{title}</h2>
          <p className="mb-3 text-sm text-soft">
            {copy.span(formatMoment(starts_at), formatMoment(ends_at))}
            <span className="block">{copy.claims(formatMoment(claims_until))}</span>
          </p>
          <MilestoneBar program={program} isPlayer={user !== null} />
          {isAtEnd ? (
            <AfterLast isDue={isDue} />
          ) : (
            <Link to={paths.recharge} className={buttonClass(isDue ? 'plain' : 'main', 'mt-3 w-full')}>
              {copy.recharge}
            </Link>
          )}
        </section>
        {(isDue || user === null) && <ReceiverChoice receiver={receiver} />}
      </div>
      <Section title={copy.steps}>
        {isDue && (
          <div className="mb-2 empty:hidden">
            <WhyNot id="why-not" receiver={receiver} />
          </div>
        )}
        <ol className="divide-y divide-line overflow-hidden rounded-xl border border-line bg-raised">
          {steps.map((step) => (
            <Step key={step.id} {...{ step, recharged, receiver, again }} isPlayer={user !== null} />
          ))}
        </ol>
        <details className="mt-4 rounded-xl border border-line bg-raised px-4 open:pb-4">
          <summary className={foldTitle}>{copy.terms}</summary>
          <p className="text-[0.9375rem]">{sentence}</p>
        </details>
      </Section>
    </div>
  )
}

/** What there is to do once every step is reached: more recharges bring nothing more of this programme. */
const AfterLast = ({ isDue }: { isDue: boolean }) =>
  isDue ? (
    <p className="mt-2 text-[0.9375rem]">{copy.toTake}</p>
  ) : (
    <>
      <p className="mt-2 text-[0.9375rem]">{copy.allTaken}</p>
      <Link to={paths.exchange} className={buttonClass('main', 'mt-3 w-full')}>
        {copy.exchange}
      </Link>
    </>
  )

const isTakeable = ({ at, claimed, left }: MilestoneStep, recharged: number): boolean =>
  !claimed && left > 0 && missingTo(at, recharged) === 0

type StepProps = {
  step: MilestoneStep
  recharged: number
  isPlayer: boolean
  receiver: Receiver
  again: () => unknown
}

function Step({ step, recharged, isPlayer, receiver, again }: StepProps) {
  const { id, at, goods, claimed, left } = step
  const { send, isSending } = useTaking(claimMilestone, { receiver, goods, again })
  const { character, check } = receiver
  const amount = formatNumber(at)
  return (
    <li className={`flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3 ${claimed ? 'bg-leaf-wash' : ''}`}>
      <span className="min-w-0 flex-[1_1_8rem]">
        <strong className="block tabular-nums">{copy.at(amount)}</strong>
        <span className="block text-[0.9375rem] wrap-anywhere">{goodsInWords(goods)}</span>
      </span>
      <span aria-live="polite" className="ml-auto shrink-0 text-right">
        {claimed && <Badge tone="success">{rewardsCopy.taken}</Badge>}
        {isPlayer && !claimed && isTakeable(step, recharged) && (
          <Button
            isBusy={isSending}
            disabled={!check.canConfirm}
            aria-label={copy.takeOf(amount)}
            aria-describedby={check.canConfirm ? undefined : 'why-not'}
            onClick={() => character && void send({ params: { id }, body: { character_id: character.id } })}
          >
            {copy.take}
          </Button>
        )}
        {!claimed && left === 0 && <Badge tone="note">{copy.usedUp}</Badge>}
        {isPlayer && !claimed && left > 0 && !isTakeable(step, recharged) && (
          <span className="text-sm text-soft tabular-nums">
            {copy.missing(formatNumber(missingTo(at, recharged)))}
          </span>
        )}
      </span>
    </li>
  )
}

const ProgramSkeleton = () => (
  <div aria-busy="true" className="grid gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
    <Skeleton className="h-64 w-full" />
    <Skeleton className="h-96 w-full" />
  </div>
)

export const page: Page = { Component: MilestonesPage }
