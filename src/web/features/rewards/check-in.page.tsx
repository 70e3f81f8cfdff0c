import { useQuery } from '#web/use-query.ts'
import { goodsInWords } from '#contract/deliveries.ts'
import { formatDay } from '#contract/format.ts'
import { pages } from '#contract/pages.ts'
import { type CheckIn, checkIn as takeToday } from '#contract/rewards/check-in.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { Page } from '#web/page.ts'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { useOwnCharacters } from '#web/parts/purchase/own-characters.ts'
import { checkInQuery } from '#web/parts/rewards/rewards.api.ts'
import { checkInCopy as copy, rewardsCopy } from './rewards.copy.ts'
import { ReceiverChoice, useReceiver, useTaking, WhyNot } from './use-reward.tsx'

function CheckInPage() {
  const query = useQuery({ ...checkInQuery, staleTime: 0 })
  // Known before anything is shown: the choice of a character stands above the month.
  const { isPending } = useOwnCharacters()
  return (
    <div className="shell-width pt-4 sm:pt-6">
      <h1 className="brush-title text-2xl sm:text-3xl">{pages.checkIn.title}</h1>
      <p className="mt-2 mb-4 max-w-text text-soft">{copy.lead}</p>
      <Loaded query={query} skeleton={<CheckInSkeleton />}>
        {(checkIn) =>
          isPending ? (
            <CheckInSkeleton />
          ) : checkIn.is_open ? (
            <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
              <Today checkIn={checkIn} again={query.refetch} />
              <Month checkIn={checkIn} />
            </div>
          ) : (
            <PageState picture="empty" title={copy.closed} text={copy.closedMore} />
          )
        }
      </Loaded>
    </div>
  )
}

const dayText = (date: string) => formatDay(`${date}T00:00:00+07:00`)

function Today({ checkIn: { days, today }, again }: { checkIn: CheckIn; again: () => unknown }) {
  const receiver = useReceiver()
  const at = days.findIndex(({ date }) => date === today)
  const { goods = [], claimed = false } = days[at] ?? {}
  const tomorrow = days[at + 1]
  const { send, isSending } = useTaking(takeToday, { receiver, goods, again })
  const { character, check } = receiver
  return (
    <section aria-label={copy.today(dayText(today))} className="space-y-5">
      {!claimed && <ReceiverChoice receiver={receiver} />}
      <div className="rounded-xl border border-line bg-raised p-4 shadow-card">
        <p className="text-sm text-soft">{copy.today(dayText(today))}</p>
        <p className="my-2 flex items-center gap-3 text-xl font-bold">
          <Icon name="gift" className="size-8 text-vermilion" />
          <span className="min-w-0 wrap-anywhere">{goodsInWords(goods)}</span>
        </p>
        {claimed ? (
          <div aria-live="polite">
            <Badge tone="success">{copy.takenToday}</Badge>
            <p className="mt-2 text-[0.9375rem] text-soft">
              {tomorrow ? copy.tomorrow(goodsInWords(tomorrow.goods)) : copy.nextMonth}
            </p>
          </div>
        ) : (
          <>
            <WhyNot id="why-not" receiver={receiver} />
            <Button
              className="mt-2 min-h-12 w-full"
              isBusy={isSending}
              disabled={!check.canConfirm}
              aria-describedby={check.canConfirm ? undefined : 'why-not'}
              onClick={() => character && void send({ body: { character_id: character.id } })}
            >
              {copy.take}
            </Button>
          </>
        )}
      </div>
    </section>
  )
}

function Month({ checkIn: { month, days, today, since } }: { checkIn: CheckIn }) {
  const count = days.filter(({ claimed }) => claimed).length
  const [past, coming] = [days.filter(({ date }) => date < today), days.filter(({ date }) => date >= today)]
  return (
    <Section title={copy.month(month)}>
      <p className="-mt-2 mb-3 text-soft">{copy.count(count)}</p>
      <Days days={coming} today={today} since={since} />
      {past.length > 0 && (
        <details className="mt-3">
          <summary className="flex min-h-11 cursor-pointer items-center font-bold text-vermilion">
            {copy.past(past.length)}
          </summary>
          <Days days={past} today={today} since={since} />
        </details>
      )}
    </Section>
  )
}

function Days({ days, today, since }: Pick<CheckIn, 'days' | 'today' | 'since'>) {
  return (
    <ol className="grid grid-cols-3 gap-2 sm:grid-cols-5 lg:grid-cols-4 xl:grid-cols-7">
      {days.map((day) => (
        <Day key={day.date} day={day} today={today} since={since} />
      ))}
    </ol>
  )
}

type DayProps = { day: CheckIn['days'][number]; today: string; since: string }

function Day({ day: { date, goods, claimed }, today, since }: DayProps) {
  const isToday = date === today
  const isPast = date < today && !claimed
  // What the player could not take was not missed.
  const isMissed = isPast && date >= since
  const state = claimed ? rewardsCopy.taken : isMissed ? copy.missed : isToday ? copy.isToday : null
  const tone = claimed
    ? 'border-leaf bg-leaf-wash'
    : isToday
      ? 'border-vermilion bg-wash'
      : isPast
        ? 'border-line bg-sunken'
        : 'border-line bg-raised'
  return (
    <li
      aria-current={isToday ? 'date' : undefined}
      className={`flex min-h-20 min-w-0 flex-col rounded-lg border p-2 text-sm ${tone}`}
    >
      <span className="flex items-center justify-between gap-1">
        <strong className="text-base">{Number(date.slice(8))}</strong>
        {claimed && <Icon name="check" className="size-5 text-leaf" />}
      </span>
      <span
        className={`leading-tight wrap-anywhere ${isMissed ? 'text-soft line-through' : isPast ? 'text-soft' : ''}`}
      >
        {goodsInWords(goods)}
      </span>
      {state !== null && <span className="mt-auto text-xs text-soft">{state}</span>}
    </li>
  )
}

const CheckInSkeleton = () => (
  <div aria-busy="true" className="grid gap-8 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
    <Skeleton className="h-72 w-full" />
    <Skeleton className="h-[36rem] w-full" />
  </div>
)

export const page: Page = { Component: CheckInPage, queries: () => [checkInQuery] }
