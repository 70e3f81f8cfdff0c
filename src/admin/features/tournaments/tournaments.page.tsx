import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  operatorTournaments,
  TOURNAMENT_PHASES,
  type OperatorTournamentRow,
} from '#contract/operator/tournaments.ts'
import { formatNumber } from '#contract/format.ts'
import { maxTeams } from '#contract/tournament-rules.ts'
import { Button } from '#ui/button.tsx'
import { PhaseBadge } from '#admin/features/tournaments/phase-badge.tsx'
import { TournamentForm } from '#admin/features/tournaments/tournament-form.tsx'
import { phaseLabels, tournamentsCopy as copy } from '#admin/features/tournaments/tournaments.copy.ts'
import { DataList } from '#admin/kit/data-list.tsx'
import type { Column } from '#admin/kit/data-table.tsx'
import type { Filter } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'

const teamsOf = ({ team_count, max_round }: OperatorTournamentRow) => {
  const most = maxTeams(max_round)
  return most === null ? formatNumber(team_count) : `${formatNumber(team_count)}/${formatNumber(most)}`
}

const columns: readonly Column<OperatorTournamentRow>[] = [
  {
    name: 'name',
    label: copy.name,
    sort: 'name',
    cell: ({ id, name }) => <Link to={`/tournaments/${id}`}>{name}</Link>,
  },
  { name: 'phase', label: copy.phase, cell: ({ phase }) => <PhaseBadge phase={phase} /> },
  {
    name: 'registration',
    label: copy.registration,
    cell: ({ registration_start_at }) => momentText(registration_start_at),
  },
  {
    name: 'competition',
    label: copy.competition,
    sort: 'competition_start_at',
    cell: ({ competition_start_at }) => momentText(competition_start_at),
  },
  { name: 'teams', label: copy.teams, isNumber: true, cell: teamsOf },
  { name: 'champion', label: copy.champion, cell: ({ winner }) => winner ?? '' },
]

const filters: readonly Filter[] = [
  { name: 'q', label: copy.name },
  {
    name: 'phase',
    label: copy.phase,
    options: TOURNAMENT_PHASES.map((value) => ({ value, label: phaseLabels[value].label })),
  },
]

export function Component() {
  const [isCreating, setCreating] = useState(false)
  const may = useMay()
  const navigate = useNavigate()
  return (
    <ScreenFrame
      title={copy.title}
      acts={may('tournaments.write') && <Button onClick={() => setCreating(true)}>{copy.create}</Button>}
    >
      <DataList
        endpoint={operatorTournaments.list}
        label={copy.title}
        columns={columns}
        filters={filters}
        usualSort={['competition_start_at', 'DESC']}
        empty={copy.empty}
      />
      {isCreating && (
        <TournamentForm
          onDone={({ id }) => void navigate(`/tournaments/${id}`)}
          onClose={() => setCreating(false)}
        />
      )}
    </ScreenFrame>
  )
}
