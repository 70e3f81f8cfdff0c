import { useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { column, type Column, DataTable } from '#admin/kit/data-table.tsx'
import { labels } from '#admin/kit/kit.copy.ts'
import { Panel } from '#admin/kit/screen.tsx'
import {
  type OperatorTeam,
  type OperatorTournament,
  operatorTournaments,
} from '#contract/operator/tournaments.ts'
import { teamSize } from '#contract/tournament-rules.ts'
import { Button } from '#ui/button.tsx'
import { Field, TextArea } from '#ui/field.tsx'
import { tournamentsCopy } from './tournament-parts.tsx'

const copy = tournamentsCopy.team

type Open = { act: 'add' } | { act: 'edit' | 'withdraw'; team: OperatorTeam }
type Props = { tournament: OperatorTournament; isReferee: boolean }

export function TeamsPanel({ tournament, isReferee }: Props) {
  const [open, setOpen] = useState<Open | null>(null)
  const { phase, teams } = tournament
  const isOver = phase === 'finished' || phase === 'cancelled'
  return (
    <Panel
      title={`${tournamentsCopy.teams} (${teams.length})`}
      acts={
        isReferee &&
        phase === 'registering' && <Button onClick={() => setOpen({ act: 'add' })}>{copy.add}</Button>
      }
    >
      {teams.length > 0 ? (
        <DataTable
          label={tournamentsCopy.teams}
          columns={isReferee && !isOver ? [...columns, actsColumn(phase !== 'running', setOpen)] : columns}
          rows={teams}
        />
      ) : (
        <p>{copy.none}</p>
      )}
      {isReferee && !isOver && phase !== 'registering' && <p className="mt-3 text-soft">{copy.closed}</p>}
      {open && <TeamAct tournament={tournament} open={open} onClose={() => setOpen(null)} />}
    </Panel>
  )
}

const columns: readonly Column<OperatorTeam>[] = [
  column('name', copy.name, ({ name }) => name),
  column('members', copy.members, ({ members }) => members.join(', ')),
]

const actsColumn = (mayWithdraw: boolean, onOpen: (open: Open) => void): Column<OperatorTeam> =>
  column('acts', copy.acts, (team) => <TeamButtons team={team} mayWithdraw={mayWithdraw} onOpen={onOpen} />)

type ButtonsProps = { team: OperatorTeam; mayWithdraw: boolean; onOpen: (open: Open) => void }

function TeamButtons({ team, mayWithdraw, onOpen }: ButtonsProps) {
  return (
    <span className="flex flex-wrap gap-2">
      <Button kind="text" aria-label={copy.editOf(team.name)} onClick={() => onOpen({ act: 'edit', team })}>
        {copy.edit}
      </Button>
      {mayWithdraw && (
        <Button
          kind="text"
          aria-label={copy.withdrawOf(team.name)}
          onClick={() => onOpen({ act: 'withdraw', team })}
        >
          {copy.withdraw}
        </Button>
      )}
    </span>
  )
}

type ActProps = { tournament: OperatorTournament; open: Open; onClose: () => void }

function TeamAct({ tournament: { id, type, updated_at }, open, onClose }: ActProps) {
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
      toBody={({ members, ...rest }) => ({ ...rest, members: readMembers(members), updated_at })}
    >
      {(form) => (
        <>
          <Field {...form.field('name')} label={copy.name} maxLength={60} />
          <Field {...form.field('members')} label={copy.members} hint={copy.membersHint} />
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
