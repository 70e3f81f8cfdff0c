import { useState } from 'react'
import { useQuery } from '#web/use-query.ts'
import type { PublicTeam } from '#contract/tournament-teams.ts'
import type { Tournament } from '#contract/tournaments.ts'
import { Badge } from '#ui/badge.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { lazyComponent, loadChunk } from '#web/load-chunk.tsx'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { openModal } from '#web/parts/modals/modal-store.ts'
import { useSession } from '#web/session/session-store.ts'
import { SharePicture } from '#web/parts/share/share-picture-button.tsx'
import type { Round } from '#web/features/tournaments/bracket.ts'
import type { OwnPartProps } from '#web/features/tournaments/own-team.tsx'
import type { TeamResult } from '#web/features/tournaments/tournament-pictures.ts'
import { MorePart } from '#web/features/tournaments/tournament-notes.tsx'
import { tournamentCopy as copy } from '#web/features/tournaments/tournament.copy.ts'
import { teamsQuery } from '#web/features/tournaments/tournaments.api.ts'

/** Forms and acts of players: visitors do not load them. */
const OwnTeam = lazyComponent<OwnPartProps>(
  () => import('#web/features/tournaments/own-team.tsx').then((part) => part.OwnTeam),
  { waiting: ({ phase }) => phase === 'registering' && <OwnSkeleton />, failed: copy.ownFailed },
)

const Check = lazyComponent<{ tournament: Tournament }>(
  () => import('#web/features/tournaments/draw-check.tsx').then((part) => part.DrawCheckResult),
  { waiting: <Skeleton className="h-24 w-full" />, failed: copy.checkFailed },
)

const OwnSkeleton = () => <Skeleton className="h-40 w-full" />

/** The player's own team or the form to register one; visitors are told to sign in while that leads to something. */
export function OwnPart({ tournament, phase }: OwnPartProps) {
  const { status } = useSession()
  if (status === 'player') return <OwnTeam tournament={tournament} phase={phase} />
  if (phase !== 'registering') return null
  if (status === 'checking') return <OwnSkeleton />
  return (
    <>
      <div className={status === 'unknown' ? 'while-anonymous' : undefined}>
        <VisitorNote />
      </div>
      {status === 'unknown' && (
        <div className="while-signed-in">
          <OwnSkeleton />
        </div>
      )}
    </>
  )
}

const VisitorNote = () => (
  <Section title={copy.join}>
    <p>{copy.joinLead}</p>
    <p className="mt-3 flex flex-wrap gap-3">
      <Button onClick={() => openModal('login')}>{copy.login}</Button>
      <Button kind="plain" onClick={() => openModal('register')}>
        {copy.register}
      </Button>
    </p>
  </Section>
)

/** Who has registered, read when it is opened. */
export function Teams({ tournament: { id, check_in_minutes } }: { tournament: Tournament }) {
  const [isAsked, setAsked] = useState(false)
  const query = useQuery({ ...teamsQuery(id), enabled: isAsked })
  return (
    <MorePart title={copy.registeredTeams} onOpen={() => setAsked(true)}>
      <Loaded query={query} skeleton={<Skeleton className="h-24 w-full" />}>
        {(teams) => {
          const present = teams.filter(({ state }) => state !== 'withdrawn')
          if (present.length === 0) return <p className="text-soft">{copy.noTeams}</p>
          return (
            <>
              {present.some(({ state }) => state === 'waiting') && (
                <p className="mb-2 max-w-text">
                  {check_in_minutes > 0 ? copy.waitingCheckIn : copy.waitingRule}
                </p>
              )}
              <ul className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
                {present.map((team) => (
                  <TeamLine key={team.id} team={team} />
                ))}
              </ul>
            </>
          )
        }}
      </Loaded>
    </MorePart>
  )
}

function TeamLine({ team: { name, state, position, has_checked_in, members } }: { team: PublicTeam }) {
  return (
    <li className="border-t border-line py-2">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <strong className="wrap-anywhere">{name}</strong>
        {state === 'waiting' && <Badge tone="waiting">{copy.teamWaits(position ?? 0)}</Badge>}
        {state === 'held' && <Badge tone="note">{copy.teamHeld}</Badge>}
        {has_checked_in && <Badge tone="success">{copy.checkedIn}</Badge>}
      </p>
      <p className="flex flex-wrap gap-x-4 text-sm">
        {members.map(({ character_name, is_substitute }) => (
          <TextLink key={character_name} to={`${paths.results}?name=${encodeURIComponent(character_name)}`}>
            <span className="min-w-0 font-normal wrap-anywhere">
              {is_substitute ? copy.substitute(character_name) : character_name}
            </span>
          </TextLink>
        ))}
      </p>
    </li>
  )
}

/** How the draw is made, and after it whether it repeats; read when it is opened. */
export function DrawCheck({ tournament }: { tournament: Tournament }) {
  const [isAsked, setAsked] = useState(false)
  // Drawn by a version that promised nothing.
  if (tournament.current_round > 0 && tournament.drawn_at === null) return null
  return (
    <MorePart title={copy.checkDraw} onOpen={() => setAsked(true)}>
      {isAsked && <Check tournament={tournament} />}
    </MorePart>
  )
}

export const CalendarLink = ({ tournament: { id } }: { tournament: Tournament }) => (
  <p className="mt-6">
    <a href={`/tournament/${id}/calendar.ics`} download className={buttonClass('plain')}>
      {copy.calendar}
    </a>
  </p>
)

const loadPictures = () => loadChunk(() => import('#web/features/tournaments/tournament-pictures.ts'))

type BracketProps = { tournament: Tournament; rounds: readonly Round[] }

/** The end of the bracket as a picture. */
export const ShareBracket = ({ tournament, rounds }: BracketProps) => (
  <SharePicture
    label={copy.shareBracket}
    className="while-scripting"
    render={async (siteName) =>
      (await loadPictures()).renderBracket(rounds, { tournament: tournament.name, siteName })
    }
  />
)

/** What a team has reached, as a picture. */
export const ShareResult = (result: TeamResult) => (
  <SharePicture render={async (siteName) => (await loadPictures()).renderResult(result, siteName)} />
)
