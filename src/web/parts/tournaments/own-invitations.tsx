import { useQuery } from '#web/use-query.ts'
import { paths } from '#contract/pages.ts'
import type { listInvitations } from '#contract/tournament-teams.ts'
import { Section } from '#ui/section.tsx'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { ownQuery } from '#web/query-client.ts'

export const invitationsQuery = ownQuery<typeof listInvitations>('/tournaments/invitations')

/** The texts of an invitation, wherever it is shown. */
export const invitationCopy = {
  title: 'Lời mời vào đội',
  invitedBy: (captain: string) => `Người chơi ${captain} mời bạn vào đội:`,
  toTournament: 'Trả lời ở trang giải',
} as const

/** Every invitation that waits for an answer of the player's; each is answered where its tournament is. */
export function OwnInvitations({ className = '' }: { className?: string }) {
  const { data: invitations = [] } = useQuery({ ...invitationsQuery, staleTime: 0 })
  if (invitations.length === 0) return null
  return (
    <Section title={invitationCopy.title} className={className}>
      <ul className="grid gap-3 sm:grid-cols-2">
        {invitations.map(({ tournament_id, tournament_name, team_id, team_name, invited_by }) => (
          <li key={team_id} className="rounded-xl border border-line-strong bg-raised p-4">
            <p className="text-sm text-soft">{tournament_name}</p>
            <p className="wrap-anywhere">
              {invitationCopy.invitedBy(invited_by)} <bdi className="font-semibold">{team_name}</bdi>
            </p>
            <TextLink to={paths.tournament(tournament_id)}>{invitationCopy.toTournament}&nbsp;→</TextLink>
          </li>
        ))}
      </ul>
    </Section>
  )
}
