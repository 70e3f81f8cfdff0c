import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { ChoiceField } from '#admin/kit/fields.tsx'
import { optionsOfRows } from '#admin/kit/filter-bar.tsx'
import { type OperatorTournament, operatorTournaments } from '#contract/operator/tournaments.ts'
import { Button } from '#ui/button.tsx'
import { tournamentsCopy } from './tournament-parts.tsx'

const copy = tournamentsCopy.seeds

type Props = { tournament: OperatorTournament; onClose: () => void }

/** Which teams are seeded, the strongest first. */
export function SeedsDialog({ tournament, onClose }: Props) {
  const { id, teams, updated_at } = tournament
  const seeded = teams
    .filter(({ seed }) => seed !== null)
    .sort((a, b) => (a.seed ?? 0) - (b.seed ?? 0))
    .map((team) => team.id)
  return (
    <ActDialog
      title={copy.label}
      endpoint={operatorTournaments.seeds}
      params={{ id }}
      start={{ teams: seeded }}
      toBody={({ teams: chosen, reason }) => ({ teams: chosen, reason, updated_at })}
      text={copy.text}
      onClose={onClose}
    >
      {(form) => {
        const chosen = form.values.teams
        const nameOf = (team: string) => teams.find((one) => one.id === team)?.name ?? team
        return (
          <>
            {chosen.length === 0 && <p className="text-soft">{copy.none}</p>}
            <Order
              seeds={chosen.map((team) => ({ id: team, name: nameOf(team) }))}
              onChange={(to) => form.set('teams', to)}
            />
            <ChoiceField
              label={copy.add}
              error={form.error('teams')}
              value=""
              onChange={({ target }) => form.set('teams', [...chosen, target.value])}
              blank={copy.choose}
              options={optionsOfRows(teams.filter(({ id: team }) => !chosen.includes(team)))}
            />
          </>
        )
      }}
    </ActDialog>
  )
}

type OrderProps = { seeds: readonly { id: string; name: string }[]; onChange: (ids: string[]) => void }

function Order({ seeds, onChange }: OrderProps) {
  const ids = seeds.map(({ id }) => id)
  const upTo = (place: number) =>
    ids.map((id, at) => (at === place - 1 ? ids[place] : at === place ? ids[place - 1] : id) ?? id)
  return (
    <ol className="divide-y divide-line">
      {seeds.map(({ id, name }, place) => (
        <li key={id} className="flex items-center gap-2">
          <span className="min-w-0 grow wrap-anywhere">
            {place + 1}. {name}
          </span>
          <Button
            kind="text"
            aria-label={copy.up(name)}
            disabled={place === 0}
            onClick={() => onChange(upTo(place))}
          >
            ↑
          </Button>
          <Button
            kind="text"
            aria-label={copy.remove(name)}
            onClick={() => onChange(ids.filter((one) => one !== id))}
          >
            ×
          </Button>
        </li>
      ))}
    </ol>
  )
}
