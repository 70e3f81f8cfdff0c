import { useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { consoleCall } from '#admin/console-call.ts'
import { ActButton, type ActForm } from '#admin/kit/act-dialog.tsx'
import { DataTable } from '#admin/kit/data-table.tsx'
import { vnd } from '#admin/kit/format.ts'
import { messagesOf } from '#admin/kit/use-send.ts'
import { readyPicture } from '#client/shrink-picture.ts'
import { showToast } from '#client/toasts.tsx'
import { formatNumber } from '#contract/format.ts'
import {
  operatorDailyCloses,
  STATEMENT_COLUMNS,
  STATEMENT_TYPES,
  type StatementColumn,
  type StatementFile,
} from '#contract/operator/daily-closes.ts'
import { PICTURE_TYPES } from '#contract/operator/posts.ts'
import { Alert } from '#ui/alert.tsx'
import { Field, SelectField } from '#ui/field.tsx'
import { closesCopy as copy, dayText } from './close-parts.tsx'

const NO_COLUMNS = { date: '', credit: '', debit: '', amount: '', reference: '', memo: '' } satisfies Record<
  StatementColumn,
  string
>

const FILE_START = { ...NO_COLUMNS, statement: null as File | null }

/** Moves on to the close that stands now, if it is another one. */
export function useNextClose(id: string) {
  const navigate = useNavigate()
  return (next: string) => {
    if (next !== id) void navigate(`/daily-closes/${next}`, { replace: true })
  }
}

/** Compares the days of a bank's statement file, whose columns and days are shown before it is taken. */
export function TakeFile({ id }: { id: string }) {
  const goOn = useNextClose(id)
  return (
    <ActButton
      label={copy.takeFile}
      kind="plain"
      endpoint={operatorDailyCloses.takeFile}
      params={{ id }}
      start={FILE_START}
      toBody={({ statement: _file, ...body }) => body}
      fileOf={({ statement }) => statement}
      text={copy.takeFileText}
      onClosed={(answer) => {
        showToast(copy.fileTaken(formatNumber(answer.days)))
        goOn(answer.id)
      }}
    >
      {(form) => <FileFields id={id} form={form} />}
    </ActButton>
  )
}

function FileFields({ id, form }: { id: string; form: ActForm<typeof FILE_START> }) {
  const { file, isReading, failure, read } = useStatementFile(id)
  const { statement } = form.values

  async function readAgain(chosen: File, columns: Record<StatementColumn, string>) {
    const result = await read(chosen, columns)
    if (!result) return
    for (const name of STATEMENT_COLUMNS) form.set(name, String(result.columns[name] ?? ''))
  }

  return (
    <>
      <Field
        type="file"
        accept={STATEMENT_TYPES}
        label={copy.statement}
        hint={copy.statementHint}
        error={form.error('statement') ?? failure}
        onChange={({ target }) => {
          const chosen = target.files?.[0] ?? null
          form.set('statement', chosen)
          if (chosen) void readAgain(chosen, NO_COLUMNS)
        }}
      />
      <p role="status" className="text-sm text-soft">
        {isReading && copy.reading}
      </p>
      {file && statement && (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            {STATEMENT_COLUMNS.map((name) => (
              <SelectField
                key={name}
                label={copy.columnLabels[name]}
                value={form.values[name]}
                error={form.error(name)}
                onChange={({ target }) => {
                  form.set(name, target.value)
                  void readAgain(statement, { ...form.values, [name]: target.value })
                }}
              >
                <option value="">{copy.noColumn}</option>
                {file.headings.map(({ heading, values }, index) => (
                  <option key={index} value={String(index)}>
                    {copy.columnOption(heading || copy.untitled(index + 1), values[0] ?? '')}
                  </option>
                ))}
              </SelectField>
            ))}
          </div>
          <DaysOfFile file={file} />
        </>
      )}
    </>
  )
}

/** Has the server read a chosen file; an answer that comes after a newer question is dropped. */
function useStatementFile(id: string) {
  const [file, setFile] = useState<StatementFile | null>(null)
  const [failure, setFailure] = useState<string>()
  const [isReading, setReading] = useState(false)
  const turn = useRef(0)

  async function read(
    chosen: File,
    columns: Record<StatementColumn, string>,
  ): Promise<StatementFile | undefined> {
    turn.current += 1
    const own = turn.current
    setReading(true)
    setFailure(undefined)
    try {
      const body = columns
      const answer = await consoleCall(operatorDailyCloses.readFile, { params: { id }, body, file: chosen })
      if (own !== turn.current) return undefined
      setFile(answer)
      setReading(false)
      return answer
    } catch (error) {
      if (own !== turn.current) return undefined
      setFile(null)
      setFailure(messagesOf(error).join(' ') || copy.readFailed)
      setReading(false)
      return undefined
    }
  }
  return { file, failure, isReading, read }
}

const UNREADABLE_SHOWN = 10

function DaysOfFile({ file: { days, unreadable, unreadable_rows: rows } }: { file: StatementFile }) {
  const moved = (amount: number, count: number) => `${vnd(amount)} (${formatNumber(count)})`
  return (
    <>
      {unreadable > 0 && (
        <Alert>
          {copy.unreadableRows(formatNumber(unreadable), rows.slice(0, UNREADABLE_SHOWN).join(', '))}
        </Alert>
      )}
      {days.length === 0 ? (
        <p>{copy.noDays}</p>
      ) : (
        <div className="max-h-80 overflow-y-auto">
          <DataTable
            label={copy.daysOfFile}
            rows={days.map((day) => ({ ...day, id: day.day }))}
            columns={[
              { name: 'day', label: copy.day, cell: ({ day }) => dayText(day) },
              {
                name: 'fileIn',
                label: copy.fileIn,
                isNumber: true,
                cell: (day) => moved(day.in_vnd, day.in_count),
              },
              {
                name: 'ourIn',
                label: copy.ourIn,
                isNumber: true,
                cell: (day) => moved(day.arrived_vnd, day.arrived_count),
              },
              { name: 'fileOut', label: copy.fileOut, isNumber: true, cell: (day) => vnd(day.out_vnd) },
              { name: 'ourOut', label: copy.ourOut, isNumber: true, cell: (day) => vnd(day.left_vnd) },
            ]}
          />
        </div>
      )}
    </>
  )
}

const FIGURES_START = { in_count: '', in_vnd: '', out_count: '0', out_vnd: '0', picture: null as Blob | null }

/** Compares a day with the figures that an operator reads in the bank's app, which a picture shows. */
export function GiveFigures({ id }: { id: string }) {
  const goOn = useNextClose(id)
  return (
    <ActButton
      label={copy.giveFigures}
      kind="plain"
      endpoint={operatorDailyCloses.giveFigures}
      params={{ id }}
      start={FIGURES_START}
      toBody={({ picture: _file, ...body }) => body}
      fileOf={({ picture }) => picture}
      text={copy.giveFiguresText}
      onClosed={(answer) => goOn(answer.id)}
    >
      {(form) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Digits {...form.field('in_count')} label={copy.inCountField} />
            <Digits {...form.field('in_vnd')} label={copy.inField} />
            <Digits {...form.field('out_count')} label={copy.outCountField} />
            <Digits {...form.field('out_vnd')} label={copy.outField} />
          </div>
          <Field
            type="file"
            accept={PICTURE_TYPES.join(',')}
            label={copy.picture}
            hint={copy.pictureHint}
            error={form.error('picture')}
            onChange={({ target }) => {
              const chosen = target.files?.[0]
              if (chosen) void readyPicture(chosen).then(({ blob }) => form.set('picture', blob))
              else form.set('picture', null)
            }}
          />
        </>
      )}
    </ActButton>
  )
}

const Digits = (props: Parameters<typeof Field>[0]) => (
  <Field inputMode="numeric" autoComplete="off" {...props} />
)
