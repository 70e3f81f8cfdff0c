import { Link, useNavigate } from 'react-router'
import { DialogButton } from '#admin/kit/act-dialog.tsx'
import { ListPage } from '#admin/kit/data-list.tsx'
import { column, type Column } from '#admin/kit/data-table.tsx'
import { type Filter, optionsOf } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { useMay } from '#admin/session/console-session.ts'
import { formatNumber } from '#contract/format.ts'
import { type OperatorTournamentRow, operatorTournaments } from '#contract/operator/tournaments.ts'
import { PHASE_WORDS } from '#contract/operator/words.ts'
import { maxTeams } from '#contract/tournament-rules.ts'
import { TournamentForm } from './tournament-form.tsx'
import { PhaseBadge, tournamentsCopy as copy } from './tournament-parts.tsx'

const teamsOf = ({ team_count, max_round }: OperatorTournamentRow) => {
  const most = maxTeams(max_round)
  return most === null ? formatNumber(team_count) : `${formatNumber(team_count)}/${formatNumber(most)}`
}

const columns: readonly Column<OperatorTournamentRow>[] = [
  column('name', copy.name, ({ id, name }) => <Link to={`/tournaments/${id}`}>{name}</Link>, {
    sort: 'name',
  }),
  column('phase', copy.phase, ({ phase }) => <PhaseBadge phase={phase} />, { onPhone: 'main' }),
  column('registration', copy.registration, ({ registration_start_at }) => momentText(registration_start_at)),
  column('competition', copy.competition, ({ competition_start_at }) => momentText(competition_start_at), {
    sort: 'competition_start_at',
    isMoment: true,
  }),
  column('teams', copy.teams, teamsOf, { isNumber: true }),
  column('champion', copy.champion, ({ winner }) => winner ?? ''),
]

const filters: readonly Filter[] = [
  { name: 'q', label: copy.name },
  { name: 'phase', label: copy.phase, options: optionsOf(PHASE_WORDS) },
]

export function Component() {
  const may = useMay()
  const navigate = useNavigate()
  return (
    <ListPage
      acts={
        may('tournaments.write') && (
          <DialogButton
            label={copy.create}
            renderDialog={(onClose) => (
              <TournamentForm onDone={({ id }) => void navigate(`/tournaments/${id}`)} onClose={onClose} />
            )}
          />
        )
      }
      endpoint={operatorTournaments.list}
      columns={columns}
      filters={filters}
      usualSort={['competition_start_at', 'DESC']}
      empty={copy.empty}
    />
  )
}
