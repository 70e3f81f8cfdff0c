import { createContext, type ReactNode, useContext, useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { useMay } from '#admin/session/console-session.ts'
import { type GameName, NAMES_AT_ONCE, operatorGameNames, unnamed } from '#contract/operator/game/names.ts'
import { Button, fieldBox } from '#ui/button.tsx'
import { namesCopy as copy } from './names.copy.ts'

/** What was typed for a code, over the row as it was when typing began. */
export type Draft = { base: GameName; name: string; short: string }

const isChange = ({ base, name, short }: Draft): boolean =>
  name.trim() !== (base.name ?? '') || short.trim() !== (base.short_name ?? '')

export function problemOf({ name, short }: Pick<Draft, 'name' | 'short'>): string | undefined {
  if (name.trim().length > 60) return copy.longName
  if (short.trim().length > 20) return copy.longShort
  return short.trim() !== '' && name.trim() === '' ? copy.shortAlone : undefined
}

type Drafts = {
  draftOf(row: GameName): Draft | undefined
  /** Sets what was typed; what is as stored is no draft any more. */
  put(drafts: readonly Draft[]): void
  drop(row: GameName): void
}

const DraftsContext = createContext<Drafts | null>(null)

export function useDrafts(): Drafts {
  const drafts = useContext(DraftsContext)
  if (drafts === null) throw new Error('Names are changed inside NameDrafts')
  return drafts
}

/** Keeps what was typed while pages of the list are turned, until it is saved by one act. */
export function NameDrafts({ children }: { children: ReactNode }) {
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map())
  const change = (work: (next: Map<string, Draft>) => void) =>
    setDrafts((present) => {
      const next = new Map(present)
      work(next)
      return next
    })
  return (
    <DraftsContext
      value={{
        draftOf: ({ id }) => drafts.get(id),
        put: (given) =>
          change((next) => {
            for (const draft of given) {
              if (isChange(draft)) next.set(draft.base.id, draft)
              else next.delete(draft.base.id)
            }
          }),
        drop: ({ id }) => change((next) => next.delete(id)),
      }}
    >
      {children}
      {drafts.size > 0 && <SaveBar drafts={[...drafts.values()]} onDrop={() => setDrafts(new Map())} />}
    </DraftsContext>
  )
}

type SaveProps = { drafts: readonly Draft[]; onDrop: () => void }

function SaveBar({ drafts, onDrop }: SaveProps) {
  const [isSaving, setSaving] = useState(false)
  const isWrong = drafts.some((draft) => problemOf(draft) !== undefined)
  const isTooMany = drafts.length > NAMES_AT_ONCE
  return (
    <>
      <div
        role="status"
        className="foot-bar mt-4 flex flex-wrap items-center gap-3 rounded-lg border border-line-strong bg-raised p-3 shadow-card"
      >
        <strong>{copy.changed(drafts.length)}</strong>
        {isWrong && <span className="text-vermilion">{copy.wrong}</span>}
        {isTooMany && <span className="text-vermilion">{copy.tooMany(NAMES_AT_ONCE)}</span>}
        <span className="ml-auto flex flex-wrap gap-2">
          <Button kind="plain" onClick={onDrop}>
            {copy.drop}
          </Button>
          <Button disabled={isWrong || isTooMany} onClick={() => setSaving(true)}>
            {copy.save}
          </Button>
        </span>
      </div>
      {isSaving && <SaveDialog drafts={drafts} onDrop={onDrop} onClose={() => setSaving(false)} />}
    </>
  )
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** What will be changed, from what to what, with the reason. After a conflict the rows show the other change. */
function SaveDialog({ drafts, onDrop, onClose }: SaveProps & { onClose: () => void }) {
  return (
    <ActDialog
      title={copy.saveTitle}
      submitLabel={copy.save}
      endpoint={operatorGameNames.update}
      toBody={({ reason }) => ({
        names: drafts.map(({ base: { kind, code, updated_at }, name, short }) => ({
          kind,
          code,
          name: orNull(name),
          short_name: orNull(short),
          updated_at,
        })),
        reason,
      })}
      onDone={onDrop}
      onClose={onClose}
    >
      {() => (
        <ul className="space-y-1">
          {drafts.map(({ base, name, short }) => (
            <li key={base.id} className="wrap-anywhere">
              {unnamed(base.kind, base.code)}: <s>{textOf(base.name, base.short_name) ?? copy.nothing}</s> →{' '}
              <strong>{textOf(orNull(name), orNull(short)) ?? copy.removed}</strong>
            </li>
          ))}
        </ul>
      )}
    </ActDialog>
  )
}

const textOf = (name: string | null, short: string | null): string | null =>
  name === null || short === null ? name : `${name} (${short})`

/** The name of a row, to be changed by those who may. */
export function NameInput({ row, part }: { row: GameName; part: 'name' | 'short' }) {
  const { draftOf, put, drop } = useDrafts()
  const isMine = useMay()('settings.content')
  const stored = part === 'name' ? row.name : row.short_name
  if (!isMine) return stored ?? (part === 'name' ? copy.none : null)
  const draft = draftOf(row)
  const typed = draft ?? { base: row, name: row.name ?? '', short: row.short_name ?? '' }
  const isOutdated = draft !== undefined && draft.base.updated_at !== row.updated_at
  const problem = problemOf(typed)
  const label = part === 'name' ? copy.nameOf(row.kind, row.code) : copy.shortOf(row.code)
  const border =
    problem === undefined ? (draft === undefined ? 'border-line-strong' : 'border-leaf') : 'border-vermilion'
  return (
    <div className="space-y-1">
      <input
        type="text"
        aria-label={label}
        aria-invalid={problem === undefined ? undefined : true}
        placeholder={part === 'name' ? copy.none : ''}
        value={typed[part]}
        onChange={({ target }) => put([{ ...typed, [part]: target.value }])}
        className={`${fieldBox} ${border} ${part === 'name' ? 'md:min-w-52' : 'md:min-w-28'}`}
      />
      {part === 'name' && problem !== undefined && (
        <p role="alert" className="text-sm text-vermilion">
          {problem}
        </p>
      )}
      {part === 'name' && isOutdated && (
        <p role="alert" className="text-sm">
          {copy.othersChanged(textOf(row.name, row.short_name) ?? copy.nothing)}{' '}
          <Button kind="text" onClick={() => put([{ ...typed, base: row }])}>
            {copy.keepMine}
          </Button>
          <Button kind="text" onClick={() => drop(row)}>
            {copy.takeTheirs}
          </Button>
        </p>
      )}
    </div>
  )
}
