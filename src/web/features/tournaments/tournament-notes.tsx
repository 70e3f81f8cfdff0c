import type { ReactNode } from 'react'
import type { Tournament } from '#contract/tournaments.ts'
import { formatMoment, formatNumber } from '#contract/format.ts'
import { maxTeams } from '#contract/tournament-rules.ts'
import { paths } from '#contract/pages.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { Boundary, PART_FAILED } from '#ui/failure.tsx'
import { Section } from '#ui/section.tsx'
import { TextLink } from '#web/parts/navigation/links.tsx'
import type { Trail } from '#web/features/tournaments/bracket.ts'
import { classesText, modeText, teamsText } from '#web/features/tournaments/rules-facts.ts'
import { feeText, formatText } from '#web/features/tournaments/tournament-facts.tsx'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'

/** How a team can take part. */
export function HowToJoin({ tournament }: { tournament: Tournament }) {
  const { how_to_register, min_level, max_level, max_round, team_count } = tournament
  const most = maxTeams(max_round)
  return (
    <Section title={copy.howToRegister}>
      {how_to_register === '' ? (
        <>
          <p>{copy.registerHint}</p>
          <TextLink to={paths.community}>{copy.toCommunity}&nbsp;→</TextLink>
        </>
      ) : (
        <p className="max-w-text whitespace-pre-line wrap-anywhere">{how_to_register}</p>
      )}
      <p className="mt-2 text-soft">
        {copy.joinFacts(feeText(tournament), copy.levelRange(min_level, max_level).toLowerCase())}{' '}
        {most === null
          ? copy.registeredSoFar(formatNumber(team_count))
          : copy.placesTaken(formatNumber(team_count), formatNumber(most))}
      </p>
    </Section>
  )
}

export function Rules({ tournament }: { tournament: Tournament }) {
  const { registration_start_at, competition_start_at, min_level, max_level, team_count } = tournament
  return (
    <MorePart title={copy.rules}>
      <div className="space-y-4">
        <Facts
          facts={[
            { label: copy.registration, value: formatMoment(registration_start_at) },
            { label: copy.competition, value: formatMoment(competition_start_at) },
            { label: copy.format, value: formatText(tournament) },
            { label: copy.mode, value: modeText(tournament) },
            { label: copy.fee, value: feeText(tournament) },
            { label: copy.levels, value: copy.levelRange(min_level, max_level) },
            { label: copy.classes, value: classesText(tournament) },
            { label: copy.teams, value: teamsText(tournament) },
            { label: copy.registered, value: copy.teamCount(formatNumber(team_count)) },
          ]}
        />
        <p>{copy.callRule}</p>
        <p>{copy.pointsNote}</p>
      </div>
    </MorePart>
  )
}

type MoreProps = { title: string; onOpen?: () => void; children: ReactNode }

/** A part of the page that is opened when it is wanted. */
export const MorePart = ({ title, onOpen, children }: MoreProps) => (
  <details className="border-b border-line" onToggle={(event) => event.currentTarget.open && onOpen?.()}>
    <summary className="flex min-h-12 items-center justify-between gap-3 py-2 text-lg font-bold after:content-['+'] in-open:after:content-['–']">
      {title}
    </summary>
    <div className="pb-4">
      <Boundary failed={PART_FAILED}>{children}</Boundary>
    </div>
  </details>
)

export const NoChampion = () => (
  <div className="mt-4">
    <Alert tone="note">{copy.noChampion}</Alert>
  </div>
)

/** Shown once the final is decided; with the moment when the tournament was closed. */
export function ChampionBanner({ name, at }: { name: string; at: string | null }) {
  return (
    <section
      aria-label={copy.winner}
      className="mt-4 flex items-center gap-4 rounded-2xl bg-fill px-4 py-5 text-on-fill"
    >
      <Laurel />
      <div className="min-w-0 flex-1 text-center">
        <p className="text-sm font-bold">{copy.winner}</p>
        <p className="champion-name text-2xl font-bold wrap-anywhere sm:text-3xl">{name}</p>
        {at !== null && <p className="text-sm tabular-nums">{formatMoment(at)}</p>}
      </div>
      <Laurel isRight />
    </section>
  )
}

const Laurel = ({ isRight = false }: { isRight?: boolean }) => (
  <img
    src="/images/tournaments/laurel.svg"
    width={40}
    height={64}
    alt=""
    className={`shrink-0 ${isRight ? '[transform:scaleX(-1)]' : ''}`}
  />
)

/** Without `onEnd` it is the player's own team. `children`: what can be done with the result. */
type TrailProps = { trail: Trail; onEnd: (() => void) | undefined; children: ReactNode }

/** The result of the followed team so far, and the button to stop following it. */
export function TrailNote({ trail, onEnd, children }: TrailProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 rounded-lg bg-wash px-4 py-1">
      <p role="status" className="py-2">
        <strong className="wrap-anywhere">{trail.name}</strong>: {trailText(trail)}
      </p>
      {children}
      {onEnd && (
        <Button kind="text" className="-mx-4" onClick={onEnd}>
          {copy.unfollow}
        </Button>
      )}
    </div>
  )
}

function trailText(trail: Trail): string {
  if (trail.state === 'out') return copy.trail.out(trail.round)
  if (trail.state === 'next') return copy.trail.next(trail.round, trail.opponent)
  return copy.trail[trail.state]
}
