import { useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Panel } from '#admin/kit/screen.tsx'
import {
  type OperatorTournament,
  operatorTournaments,
  type TeamWithFees,
} from '#contract/operator/tournaments.ts'
import { formatNumber } from '#contract/format.ts'
import { isListBeingClosed, teamSize } from '#contract/tournament-rules.ts'
import { Button } from '#ui/button.tsx'
import { Field, TextArea } from '#ui/field.tsx'
import { SeedsDialog } from './seeds-dialog.tsx'
import { tournamentsCopy, WITHDRAWN_WORDS } from './tournament-parts.tsx'

const copy = tournamentsCopy.team

type Open = { act: 'add' } | { act: 'seeds' } | { act: 'edit' | 'withdraw'; team: TeamWithFees }
type Props = { tournament: OperatorTournament; isReferee: boolean }

export function TeamsPanel({ tournament, isReferee }: Props) {
  const [open, setOpen] = useState<Open | null>(null)
  const { phase, teams, withdrawn, current_round, closed_at } = tournament
  const columns = columnsOf(tournament)
  const isDrawn = current_round > 0
  const isListOpen = !isDrawn && closed_at === null
  const isOver = phase === 'finished' || phase === 'cancelled'
  return (
    <Panel
      title={`${tournamentsCopy.teams} (${teams.length})`}
      acts={
        isReferee &&
        !isOver && (
          <span className="flex flex-wrap gap-2">
            {isListOpen && teams.length > 0 && (
              <Button kind="plain" onClick={() => setOpen({ act: 'seeds' })}>
                {tournamentsCopy.seeds.label}
              </Button>
            )}
            {phase === 'registering' && <Button onClick={() => setOpen({ act: 'add' })}>{copy.add}</Button>}
          </span>
        )
      }
    >
      {teams.length > 0 ? (
        <DataTable
          label={tournamentsCopy.teams}
          columns={isReferee && !isOver && !isDrawn ? [...columns, actsColumn(isListOpen, setOpen)] : columns}
          rows={teams}
        />
      ) : (
        <p>{copy.none}</p>
      )}
      {isReferee && !isOver && !isListOpen && !isListBeingClosed(tournament) && (
        <p className="mt-3 text-soft">{copy.closed}</p>
      )}
      {withdrawn.length > 0 && (
        <details className="mt-3">
          <summary className="cursor-pointer py-2.5 font-bold">{copy.withdrawn(withdrawn.length)}</summary>
          <DataTable label={copy.withdrawn(withdrawn.length)} columns={withdrawnColumns} rows={withdrawn} />
        </details>
      )}
      {open && <TeamAct tournament={tournament} open={open} onClose={() => setOpen(null)} />}
    </Panel>
  )
}

const feesText = ({ fees }: TeamWithFees): string =>
  (['pending', 'taken', 'refunding', 'refunded'] as const)
    .filter((kind) => fees[kind] > 0)
    .map((kind) => copy[kind](formatNumber(fees[kind])))
    .join(', ')

function stateText(team: TeamWithFees, teams: readonly TeamWithFees[]): string {
  if (team.held_until !== null) return copy.held(momentText(team.held_until))
  if (team.state !== 'waiting') return team.has_checked_in ? copy.admitted : copy.notThere
  const position = teams.filter(({ state }) => state === 'waiting').findIndex(({ id }) => id === team.id) + 1
  return team.has_checked_in ? copy.waiting(position) : copy.waitingNotThere(position)
}

const nameColumns: readonly Column<TeamWithFees>[] = [
  column('name', copy.name, ({ name }) => name, { isName: true }),
  column('members', copy.members, ({ members }) => members.join(', ')),
]
const whose = column('by', copy.by, ({ is_registered }: TeamWithFees) =>
  is_registered ? copy.byPlayer : copy.byOperator,
)
const fees = column('fees', copy.fees, feesText, { isBlank: (team: TeamWithFees) => feesText(team) === '' })

/** Whether a team is there matters where teams check in. */
const columnsOf = ({ teams, check_in_minutes }: OperatorTournament): readonly Column<TeamWithFees>[] => [
  ...nameColumns,
  column('state', copy.state, (team) =>
    stateText(check_in_minutes === 0 ? { ...team, has_checked_in: true } : team, teams),
  ),
  whose,
  column('seed', copy.seed, ({ seed }) => seed, { isNumber: true, isBlank: ({ seed }) => seed === null }),
  fees,
]

const withdrawnColumns: readonly Column<TeamWithFees>[] = [
  ...nameColumns,
  column('why', copy.why, ({ withdrawn_for }) => withdrawn_for && WITHDRAWN_WORDS[withdrawn_for]),
  whose,
  fees,
]

const actsColumn = (mayEdit: boolean, onOpen: (open: Open) => void): Column<TeamWithFees> =>
  column('acts', copy.acts, (team) => <TeamButtons team={team} mayEdit={mayEdit} onOpen={onOpen} />)

type ButtonsProps = { team: TeamWithFees; mayEdit: boolean; onOpen: (open: Open) => void }

function TeamButtons({ team, mayEdit, onOpen }: ButtonsProps) {
  return (
    <span className="flex flex-wrap gap-2">
      {mayEdit && (
        <Button kind="text" aria-label={copy.editOf(team.name)} onClick={() => onOpen({ act: 'edit', team })}>
          {copy.edit}
        </Button>
      )}
      <Button
        kind="text"
        aria-label={copy.withdrawOf(team.name)}
        onClick={() => onOpen({ act: 'withdraw', team })}
      >
        {copy.withdraw}
      </Button>
    </span>
  )
}

type ActProps = { tournament: OperatorTournament; open: Open; onClose: () => void }

function TeamAct({ tournament, open, onClose }: ActProps) {
  const { id, type, updated_at } = tournament
  if (open.act === 'seeds') return <SeedsDialog tournament={tournament} onClose={onClose} />
  if (open.act === 'add') {
    return (
      <ActDialog
        title={copy.add}
        endpoint={operatorTournaments.addTeams}
        params={{ id }}
        start={{ teams: '' }}
        toBody={({ teams, reason }) => ({ teams: readTeams(teams), reason })}
        onClose={onClose}
      >
        {(form) => (
          <TextArea
            {...form.field('teams')}
            label={copy.list}
            hint={copy.listHint(teamSize(type))}
            rows={10}
          />
        )}
      </ActDialog>
    )
  }
  const { team } = open
  const common = { params: { id, team_id: team.id }, onClose }
  if (open.act === 'withdraw') {
    return (
      <ActDialog
        {...common}
        title={copy.withdrawOf(team.name)}
        submitLabel={copy.withdraw}
        endpoint={operatorTournaments.withdrawTeam}
        toBody={({ reason }) => ({ reason, updated_at })}
        text={copy.withdrawText}
      />
    )
  }
  return (
    <ActDialog
      {...common}
      title={copy.editOf(team.name)}
      submitLabel={labels.save}
      endpoint={operatorTournaments.updateTeam}
      start={{ name: team.name, members: team.members.join(', ') }}
      // A name of before the rule stays until it is changed.
      toBody={({ name, members, ...rest }) => ({
        ...rest,
        ...(name === team.name ? {} : { name }),
        members: readMembers(members),
        updated_at,
      })}
    >
      {(form) => (
        <>
          <Field {...form.field('name')} label={copy.name} maxLength={60} />
          {!team.is_registered && (
            <Field {...form.field('members')} label={copy.members} hint={copy.membersHint} />
          )}
        </>
      )}
    </ActDialog>
  )
}

type Team = { name: string; members: string[] }

const readMembers = (text: string): string[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)

/** One team a line, `name: character, character`; a line without a colon is a team of one with its own name. */
export function readTeams(text: string): Team[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => {
      const [name = '', ...rest] = line.split(':')
      const members = readMembers(rest.join(':'))
      return { name: name.trim(), members: members.length === 0 ? [name.trim()] : members }
    })
}
