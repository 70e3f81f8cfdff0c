import type { Tournament } from '#contract/tournaments.ts'
import { formatNumber } from '#contract/format-number.ts'
import { maxTeams } from '#contract/tournament-rules.ts'
import { formatMoment } from '#contract/vietnam-time.ts'
import { paths } from '#contract/pages.ts'
import { Button } from '#ui/button.tsx'
import { Facts } from '#ui/facts.tsx'
import { Section } from '#ui/section.tsx'
import { TextLink } from '#web/parts/navigation/text-links.tsx'
import type { Trail } from '#web/features/tournaments/bracket.ts'
import {
  classesText,
  feeText,
  formatText,
  modeText,
  teamsText,
} from '#web/features/tournaments/tournament-facts.ts'
import { tournamentsCopy as copy } from '#web/features/tournaments/tournaments.copy.ts'

/** How a team takes part, as long as it can. */
export function HowToJoin({ tournament }: { tournament: Tournament }) {
  const { how_to_register, min_level, max_level, max_round, team_count } = tournament
  const most = maxTeams(max_round)
  return (
    <Section title={copy.howToRegister}>
      {how_to_register === '' ? (
        <>
          <p>{copy.askOrganisers}</p>
          <TextLink to={paths.community}>{copy.toCommunity} →</TextLink>
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
    <details className="mt-8 border-y border-line">
      <summary className="flex min-h-12 items-center justify-between gap-3 py-2 text-lg font-bold after:content-['+'] in-open:after:content-['–']">
        {copy.rules}
      </summary>
      <div className="space-y-4 pb-4">
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
    </details>
  )
}

/** Whose banner hangs when the final is decided. */
export function ChampionBanner({ name }: { name: string }) {
  return (
    <section
      aria-label={copy.winner}
      className="mt-4 flex items-center gap-4 rounded-2xl bg-fill px-4 py-5 text-on-fill"
    >
      <Laurel />
      <div className="min-w-0 flex-1 text-center">
        <p className="text-sm font-bold">{copy.winner}</p>
        <p className="text-2xl font-bold wrap-anywhere sm:text-3xl">{name}</p>
      </div>
      <Laurel isRight />
    </section>
  )
}

const Laurel = ({ isRight = false }: { isRight?: boolean }) => (
  <svg
    viewBox="0 0 40 64"
    fill="currentColor"
    aria-hidden="true"
    className={`h-16 w-10 shrink-0 ${isRight ? '-scale-x-100' : ''}`}
  >
    <path
      d="M36 62C14 54 6 34 14 4"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
    />
    <path d="M14 6C8 6 6 2 7 0c5 0 7 3 7 6ZM12 16C5 15 2 10 3 7c6 1 9 4 9 9ZM11 27C4 25 0 20 1 16c6 2 10 6 10 11ZM13 38C6 37 1 33 1 28c6 1 11 5 12 10ZM18 48c-7 0-13-3-14-8 6 0 12 3 14 8ZM26 56c-7 2-13 0-16-4 6-1 13 0 16 4ZM14 20c5-3 6-8 4-11-4 3-6 7-4 11ZM14 32c5-3 7-8 5-11-4 3-7 7-5 11ZM18 43c5-2 8-7 6-10-4 2-7 6-6 10ZM25 52c5-2 8-6 7-9-4 1-7 5-7 9Z" />
  </svg>
)

type TrailProps = { trail: Trail; onEnd: () => void }

/** How far the followed team has come, and the end of following it. */
export function TrailNote({ trail, onEnd }: TrailProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 rounded-lg bg-wash px-4 py-1">
      <p role="status" className="py-2">
        <strong className="wrap-anywhere">{trail.name}</strong>: {trailText(trail)}
      </p>
      <Button kind="quiet" className="-mx-4" onClick={onEnd}>
        {copy.unfollow}
      </Button>
    </div>
  )
}

function trailText(trail: Trail): string {
  if (trail.state === 'out') return copy.trail.out(trail.round)
  if (trail.state === 'next') return copy.trail.next(trail.round, trail.opponent)
  return copy.trail[trail.state]
}
