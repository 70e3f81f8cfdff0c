import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { Panel } from '#admin/kit/screen.tsx'
import { SettingChange, TestQr } from '#admin/kit/setting-value.tsx'
import { isConflict } from '#admin/kit/use-send.ts'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'
import { operatorProposals } from '#contract/operator/proposals.ts'
import {
  operatorPlannedPrices,
  type OperatorSetting,
  operatorSettings,
  type PlannedPrice,
} from '#contract/operator/setting-calls.ts'
import { changeFactor, type SettingSection } from '#contract/operator/settings.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { changesOf, type Draft, type Drafts, newestUpdate, panelsOf, problemOf } from './drafts.ts'
import { SettingRow } from './setting-row.tsx'
import { settingsCopy as copy } from './settings.copy.ts'

/** Which settings have a change that waits for a second person, for those who may see that. */
function useWaiting(isShown: boolean): (key: string) => boolean {
  const query = { filter: JSON.stringify({ state: 'waiting' }) }
  const { data } = useQuery({ ...read(operatorProposals.list, { query }), enabled: isShown })
  return (key) =>
    data?.some(({ kind, subject }) => (kind === 'setting' || kind === 'planned-price') && subject === key) ??
    false
}

/** The planned changes of each setting, for those who may see that. */
function usePlans(isShown: boolean): (key: string) => readonly PlannedPrice[] {
  const query = { filter: JSON.stringify({ open: true }), range: '[0,99]' }
  const { data } = useQuery({ ...read(operatorPlannedPrices.list, { query }), enabled: isShown })
  return (key) => data?.filter(({ setting }) => setting === key) ?? []
}

type Props = { section: SettingSection; settings: readonly OperatorSetting[] }

/** Settings of one section under their headings; all that was changed is saved at once, with one reason. */
export function SectionForm({ section, settings }: Props) {
  const may = useMay()
  const [drafts, setDrafts] = useState<Drafts>({})
  // Fields that store the typed text start again.
  const [round, setRound] = useState(0)
  const [isSaving, setSaving] = useState(false)
  const isMine = may(`settings.${section}`)
  const isWaiting = useWaiting(section !== 'content' && isMine)
  const plansOf = usePlans(section === 'prices')
  const changes = changesOf(drafts)
  const isWrong = changes.some(({ text, base }) => problemOf(base.id, text) !== undefined)
  const dropAll = () => {
    setDrafts({})
    setRound(round + 1)
  }
  const setDraft = (key: string, draft: Draft | undefined) => {
    if (draft !== undefined) return setDrafts({ ...drafts, [key]: draft })
    const { [key]: _dropped, ...rest } = drafts
    setDrafts(rest)
    setRound(round + 1)
  }
  return (
    <>
      <Alert tone="note">{isMine ? copy.notes[section] : copy.readOnly}</Alert>
      <fieldset disabled={!isMine} className="grid min-w-0 gap-4 lg:max-w-3xl">
        <legend className="sr-only">{copy.sections[section]}</legend>
        {[...panelsOf(settings)].map(([title, listed]) => (
          <Panel key={title} title={title}>
            {listed.map((setting) => (
              <SettingRow
                key={`${setting.id}-${round}`}
                setting={setting}
                draft={drafts[setting.id]}
                isWaiting={isWaiting(setting.id)}
                plans={plansOf(setting.id)}
                onDraft={(draft) => setDraft(setting.id, draft)}
              />
            ))}
          </Panel>
        ))}
      </fieldset>
      {changes.length > 0 && (
        <div
          role="status"
          className="foot-bar flex flex-wrap items-center gap-3 rounded-lg border border-line-strong bg-raised p-3 shadow-card"
        >
          <strong>{copy.changed(changes.length)}</strong>
          {isWrong && <span className="text-vermilion">{copy.wrong}</span>}
          <span className="ml-auto flex flex-wrap gap-2">
            <Button kind="plain" onClick={dropAll}>
              {copy.drop}
            </Button>
            <Button disabled={isWrong} onClick={() => setSaving(true)}>
              {copy.save}
            </Button>
          </span>
        </div>
      )}
      {isSaving && <SaveDialog changes={changes} onDone={dropAll} onClose={() => setSaving(false)} />}
    </>
  )
}

type SaveDialogProps = { changes: readonly Draft[]; onDone: () => void; onClose: () => void }

/** What will be changed, from what to what, with the reason. On a conflict it closes, and the screen shows the other change. */
function SaveDialog({ changes, onDone, onClose }: SaveDialogProps) {
  const values = Object.fromEntries(changes.map(({ base, text }) => [base.id, text]))
  return (
    <ActDialog
      title={copy.confirmTitle}
      submitLabel={copy.save}
      endpoint={operatorSettings.update}
      toBody={({ reason }) => ({ values, updated_at: newestUpdate(changes), reason })}
      onDone={onDone}
      onRefused={(error) => isConflict(error) && onClose()}
      onClose={onClose}
    >
      {() =>
        changes.map(({ base: { id, label, kind, value }, text }) => (
          <section key={id} aria-label={label} className="space-y-2">
            <h3 className="font-bold">{label}</h3>
            <SettingChange id={id} before={value} after={text} factor={changeFactor(id, value, text)} />
            {kind === 'bank-account' && <TestQr value={text} />}
          </section>
        ))
      }
    </ActDialog>
  )
}
