import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActDialog, type ActForm } from '#admin/kit/act-dialog.tsx'
import { nextTitle } from '#admin/kit/campaign-form.tsx'
import { ChoiceField, MomentField, typedMoment, wholeNumber } from '#admin/kit/fields.tsx'
import { optionsOf, optionsOfRows } from '#admin/kit/filter-bar.tsx'
import { momentText } from '#admin/kit/format.ts'
import { labels } from '#admin/kit/kit.copy.ts'
import { read } from '#admin/query.ts'
import { serverNow } from '#client/server-clock.ts'
import { fieldOfMoment, formatNumber } from '#contract/format.ts'
import { operatorGameNames, unnamed } from '#contract/operator/game/names.ts'
import {
  HOW_TO_REGISTER_MAX,
  type OperatorTournamentRow,
  operatorTournaments,
  PRIZE_MAX,
} from '#contract/operator/tournaments.ts'
import { listServers } from '#contract/settings.ts'
import {
  FEE_PAYERS,
  maxTeams,
  TOURNAMENT_CLASSES,
  TOURNAMENT_FORMATS,
  TOURNAMENT_MODES,
} from '#contract/tournament-rules.ts'
import { Alert } from '#ui/alert.tsx'
import { Field, TextArea } from '#ui/field.tsx'
import { phaseLabels, tournamentsCopy as copy } from './tournament-parts.tsx'

type Props = {
  /** The one to change; none for a new one. */
  tournament?: OperatorTournamentRow
  /** The one that a new one is like. */
  copied?: OperatorTournamentRow
  onDone?: (saved: OperatorTournamentRow) => void
  onClose: () => void
}

const ROUNDS_MAX = 12
const NAME_MAX = 120
const CHECK_IN_MINUTES = 30
const SUBSTITUTES_MAX = 2

const startOf = (tournament: OperatorTournamentRow | undefined) => ({
  name: tournament?.name ?? '',
  registration_start_at: tournament ? fieldOfMoment(tournament.registration_start_at) : '',
  competition_start_at: tournament ? fieldOfMoment(tournament.competition_start_at) : '',
  mode: String(tournament?.mode ?? 0),
  fee: String(tournament?.fee ?? 0),
  type: String(tournament?.type ?? 1),
  min_level: String(tournament?.min_level ?? 1),
  max_level: String(tournament?.max_level ?? 200),
  max_round: String(tournament?.max_round ?? 4),
  prize: tournament?.prize ?? '',
  how_to_register: tournament?.how_to_register ?? '',
  allowed_classes: tournament?.allowed_classes ?? [1, 2, 3, 4, 5, 6],
  server_id: tournament?.server_id ?? '',
  substitutes: String(tournament?.substitutes ?? 0),
  fee_payer: tournament?.fee_payer ?? ('captain' as const),
  check_in_minutes: String(tournament?.check_in_minutes ?? CHECK_IN_MINUTES),
})

const WEEK_MS = 7 * 86_400_000

/** The same on the same days of the week, the first time that sign-up is still to come. */
function nextOf(copied: OperatorTournamentRow): OperatorTournamentRow {
  const begin_ms = Date.parse(copied.registration_start_at)
  const weeks = Math.max(0, Math.floor((serverNow() - begin_ms) / WEEK_MS) + 1)
  const later = (moment: string) => new Date(Date.parse(moment) + weeks * WEEK_MS).toISOString()
  return {
    ...copied,
    name: nextTitle(copied.name, NAME_MAX),
    registration_start_at: later(copied.registration_start_at),
    competition_start_at: later(copied.competition_start_at),
  }
}

type Fields = ReturnType<typeof startOf> & { reason: string }

const bodyOf = (fields: Fields) => ({
  ...fields,
  registration_start_at: typedMoment(fields.registration_start_at),
  competition_start_at: typedMoment(fields.competition_start_at),
  mode: Number(fields.mode),
  fee: Number(fields.fee.replaceAll(/[.,\s]/g, '')),
  type: Number(fields.type),
  min_level: Number(fields.min_level),
  max_level: Number(fields.max_level),
  max_round: Number(fields.max_round),
  server_id: fields.server_id || null,
  substitutes: Number(fields.substitutes),
  check_in_minutes: wholeNumber(fields.check_in_minutes),
})

/** The changes that somebody else has saved since the form was opened, beside the button that overwrites them. */
function ChangedMeanwhile({
  before,
  after,
}: {
  before: OperatorTournamentRow
  after: OperatorTournamentRow
}) {
  if (before.updated_at === after.updated_at) return null
  const changes = changesOf(before, after)
  return (
    <Alert>
      <h2 className="text-lg">{copy.conflict.title}</h2>
      {changes.length === 0 ? (
        <p>{copy.conflict.elsewhere}</p>
      ) : (
        <ul className="my-2 list-disc pl-5">
          {changes.map(({ label, was, is }) => (
            <li key={label}>
              {label}: <s>{was}</s> → <strong>{is}</strong>
            </li>
          ))}
        </ul>
      )}
      <p>{copy.conflict.choice}</p>
    </Alert>
  )
}

/** The numbers from 0 on, as options. */
const numbersTo = (max: number, label: (value: number) => string) =>
  Array.from({ length: max + 1 }, (_, value) => ({ value: String(value), label: label(value) }))

/** Everything an operator enters about a tournament. */
export function TournamentForm({ tournament, copied, onDone, onClose }: Props) {
  const [begun] = useState(tournament)
  const [start] = useState(() => startOf(tournament ?? (copied && nextOf(copied))))
  const common = { submitLabel: labels.save, start, onDone, onClose }
  return tournament ? (
    <ActDialog
      {...common}
      title={copy.edit}
      endpoint={operatorTournaments.update}
      params={{ id: tournament.id }}
      toBody={(fields) => ({ ...bodyOf(fields), updated_at: tournament.updated_at })}
    >
      {(form) => (
        <>
          <TournamentFields form={form} />
          {begun && <ChangedMeanwhile before={begun} after={tournament} />}
        </>
      )}
    </ActDialog>
  ) : (
    <ActDialog {...common} title={copy.create} endpoint={operatorTournaments.create} toBody={bodyOf}>
      {(form) => <TournamentFields form={form} />}
    </ActDialog>
  )
}

type FormFields = ActForm<ReturnType<typeof startOf>>

function TournamentFields({ form }: { form: FormFields }) {
  return (
    <>
      <Field {...form.field('name')} label={copy.name} maxLength={NAME_MAX} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <MomentField {...form.field('registration_start_at')} label={copy.registration} />
        <MomentField
          {...form.field('competition_start_at')}
          label={copy.competition}
          hint={copy.competitionHint}
        />
        <ChoiceField {...form.field('type')} label={copy.type} options={optionsOf(TOURNAMENT_FORMATS)} />
        <ChoiceField
          {...form.field('max_round')}
          label={copy.rounds}
          options={numbersTo(ROUNDS_MAX, (rounds) =>
            rounds === 0 ? copy.unlimited : copy.upTo(formatNumber(maxTeams(rounds) ?? 0)),
          )}
        />
        <ChoiceField {...form.field('mode')} label={copy.mode} options={optionsOf(TOURNAMENT_MODES)} />
        <Entry form={form} />
        <Field {...form.field('min_level')} label={copy.minLevel} inputMode="numeric" />
        <Field {...form.field('max_level')} label={copy.maxLevel} inputMode="numeric" />
      </div>
      <Classes form={form} />
      <TextArea
        {...form.field('prize')}
        label={copy.prize}
        hint={copy.prizeHint}
        maxLength={PRIZE_MAX}
        isOptional
      />
      <TextArea
        {...form.field('how_to_register')}
        label={copy.howToRegister}
        hint={copy.howToRegisterHint}
        maxLength={HOW_TO_REGISTER_MAX}
        isOptional
      />
    </>
  )
}

/** Who may enter, what it costs, and until when a team has to be there. */
function Entry({ form }: { form: FormFields }) {
  const { data: servers = [] } = useQuery(read(listServers))
  return (
    <>
      <ChoiceField
        {...form.field('server_id')}
        label={copy.server}
        blank={copy.anyServer}
        options={optionsOfRows(servers)}
      />
      <ChoiceField
        {...form.field('substitutes')}
        label={copy.substitutes}
        options={numbersTo(SUBSTITUTES_MAX, String)}
      />
      <Field {...form.field('fee')} label={copy.fee} inputMode="numeric" />
      <ChoiceField {...form.field('fee_payer')} label={copy.feePayer} options={optionsOf(FEE_PAYERS)} />
      <Field
        {...form.field('check_in_minutes')}
        label={copy.checkIn}
        hint={copy.checkInHint}
        inputMode="numeric"
      />
    </>
  )
}

const classesQuery = read(operatorGameNames.list, {
  query: { filter: JSON.stringify({ id: TOURNAMENT_CLASSES.map((id) => `class:${id}`) }) },
})

/** The name of a class; its number while the names are read. */
function useClassName(): (id: number) => string {
  const { data } = useQuery(classesQuery)
  return (id) => {
    const found = data?.find(({ code }) => code === String(id))
    return found?.name ?? found?.told_name ?? unnamed('class', String(id))
  }
}

function Classes({ form }: { form: FormFields }) {
  const className = useClassName()
  const chosen = form.values.allowed_classes
  const error = form.error('allowed_classes')
  const toggle = (id: number) =>
    form.set(
      'allowed_classes',
      chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id].sort((a, b) => a - b),
    )
  return (
    <fieldset data-wrong={error ? '' : undefined}>
      <legend className="mb-1 text-sm font-bold">{copy.classes}</legend>
      <div className="flex flex-wrap gap-x-4">
        {TOURNAMENT_CLASSES.map((id) => (
          <label key={id} className="flex min-h-11 items-center gap-2">
            <input type="checkbox" checked={chosen.includes(id)} onChange={() => toggle(id)} />
            {className(id)}
          </label>
        ))}
      </div>
      {error && (
        <p role="alert" className="text-sm text-vermilion">
          {error}
        </p>
      )}
    </fieldset>
  )
}

export const nameOf = (names: Readonly<Record<number, string>>, code: number) => names[code] ?? String(code)

type Row = OperatorTournamentRow

/** What an operator may change or see changed, as the form names it and in words. */
const SHOWN: readonly [label: string, text: (row: Row) => string][] = [
  [copy.name, ({ name }) => name],
  [copy.phase, ({ phase }) => phaseLabels[phase].label],
  [copy.registration, ({ registration_start_at }) => momentText(registration_start_at)],
  [copy.competition, ({ competition_start_at }) => momentText(competition_start_at)],
  [copy.type, ({ type }) => nameOf(TOURNAMENT_FORMATS, type)],
  [copy.mode, ({ mode }) => nameOf(TOURNAMENT_MODES, mode)],
  [copy.rounds, ({ max_round }) => roundsText(maxTeams(max_round))],
  [copy.server, ({ server_id }) => server_id ?? copy.anyServer],
  [copy.substitutes, ({ substitutes }) => String(substitutes)],
  [copy.fee, ({ fee }) => formatNumber(fee)],
  [copy.feePayer, ({ fee_payer }) => FEE_PAYERS[fee_payer]],
  [copy.checkIn, ({ check_in_minutes }) => String(check_in_minutes)],
  [copy.minLevel, ({ min_level }) => String(min_level)],
  [copy.maxLevel, ({ max_level }) => String(max_level)],
  [copy.classes, ({ class_names }) => class_names.join(', ')],
  [copy.prize, ({ prize }) => prize],
  [copy.howToRegister, ({ how_to_register }) => how_to_register],
  [copy.teams, ({ team_count }) => formatNumber(team_count)],
]

const roundsText = (most: number | null) => (most === null ? copy.unlimited : formatNumber(most))

const changesOf = (before: Row, after: Row) =>
  SHOWN.map(([label, text]) => ({ label, was: text(before), is: text(after) })).filter(
    ({ was, is }) => was !== is,
  )
