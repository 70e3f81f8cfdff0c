import type { ReactNode } from 'react'
import type { AnswerOf } from '#contract/endpoint.ts'
import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import type { getGroupEntries, RankingRow } from '#contract/ranking.ts'
import { Link } from '#web/navigation.tsx'
import { detailsOf, Movement, Portrait, type Shown } from '#web/features/ranking/ranking-rows.tsx'
import { rankingCopy as copy } from '#web/features/ranking/ranking.copy.ts'

type Own = AnswerOf<typeof getGroupEntries>['own']

/** `isOver`: of a day that is over. */
type Props = Shown & { mine: RankingRow | undefined; own: Own; isOver: boolean }

/** The player's own place, at the bottom of the screen wherever a list is scrolled to. */
export function OwnPlace({ isSticky, ...props }: Props & { isSticky: boolean }) {
  return (
    <section
      aria-label={copy.mine}
      className={`${isSticky ? 'own-place rounded-t-xl' : 'rounded-xl'} mt-4 flex min-h-16 items-center gap-3 border-t-4 flex-wrap border-vermilion bg-night px-4 py-2 text-on-night`}
    >
      <Place {...props} />
    </section>
  )
}

function Place({ mine, own, isOver, ...shown }: Props) {
  if (mine) return <Ranked mine={mine} {...shown} />
  const { state, character } = own
  if (state === 'beyond' && character)
    return (
      <>
        <Portrait row={character} className="size-11 max-[19.99rem]:hidden" />
        <div className="min-w-0 flex-[1_1_7rem]">
          <strong className="block wrap-anywhere">{character.name}</strong>
          <span className="text-sm text-on-night-soft">{detailsOf(character, shown)}</span>
        </div>
        <p className="max-w-[40%] text-right text-sm text-balance">{copy.beyond}</p>
      </>
    )
  if (state === 'hidden')
    return (
      <>
        <Message title={copy.hidden} />
        <Link
          to={`${paths.profile}#ranking-name`}
          className="flex min-h-11 shrink-0 items-center font-bold underline"
        >
          {copy.showMe}
        </Link>
      </>
    )
  if (state === 'excluded') return <Message title={copy.excluded}>{copy.excludedWhy}</Message>
  if (isOver) return <Message title={copy.notThatDay} />
  return <Message title={copy.notRanked}>{shown.isOfGame ? copy.howToBeRanked : copy.howToRecharge}</Message>
}

function Ranked({ mine, ...shown }: Shown & { mine: RankingRow }) {
  return (
    <>
      <Portrait row={mine} className="size-11 max-[19.99rem]:hidden" />
      <div className="min-w-0 flex-[1_1_6rem]">
        <span className="block text-sm text-on-night-soft">{copy.mine}</span>
        <strong className="wrap-anywhere">{mine.name}</strong>
      </div>
      <div className="shrink-0 text-right tabular-nums">
        <p className="flex items-baseline justify-end gap-2">
          {shown.isCompared && <Movement row={mine} className="text-on-night-soft" />}
          <strong className="block text-xl leading-tight">{copy.place(formatNumber(mine.rank))}</strong>
        </p>
        <p className="text-sm text-on-night-soft">{copy.amount(formatNumber(mine.value), shown.valueName)}</p>
      </div>
    </>
  )
}

const Message = ({ title, children }: { title: string; children?: ReactNode }) => (
  <p className="min-w-0 flex-[1_1_10rem]">
    <strong className="block">{title}</strong>
    {children && <span className="text-sm text-on-night-soft">{children}</span>}
  </p>
)
