import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { NavLink, useParams } from 'react-router'
import { operatorProposals } from '#contract/operator/proposals.ts'
import { operatorSettings, type OperatorSetting } from '#contract/operator/setting-calls.ts'
import { SETTING_SECTIONS, type SettingSection } from '#contract/operator/settings.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { changesOf, panelsOf, problemOf, type Draft, type Drafts } from '#admin/features/settings/drafts.ts'
import { SaveDialog } from '#admin/features/settings/save-dialog.tsx'
import { settingsCopy as copy } from '#admin/features/settings/settings.copy.ts'
import { SettingRow } from '#admin/features/settings/setting-row.tsx'
import { Loaded } from '#admin/kit/loaded.tsx'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { read } from '#admin/query.ts'
import { useMay } from '#admin/session/console-session.ts'

const sectionOf = (text: string | undefined): SettingSection =>
  SETTING_SECTIONS.find((section) => section === text) ?? 'content'

export function Component() {
  const section = sectionOf(useParams()['section'])
  const query = { filter: JSON.stringify({ section }), range: '[0,99]' }
  return (
    <ScreenFrame title={copy.title}>
      <nav aria-label={copy.sectionsLabel} className="flex flex-wrap gap-2">
        {SETTING_SECTIONS.map((one) => (
          <NavLink
            key={one}
            to={`/settings/${one}`}
            aria-current={one === section ? 'page' : undefined}
            className="inline-flex min-h-11 items-center rounded-lg border border-line-strong px-4 font-bold text-ink no-underline aria-[current]:border-vermilion aria-[current]:bg-wash"
          >
            {copy.sections[one]}
          </NavLink>
        ))}
      </nav>
      <Loaded key={section} query={read(operatorSettings.list, { query })}>
        {(settings) => <SectionForm section={section} settings={settings} />}
      </Loaded>
    </ScreenFrame>
  )
}

/** Which settings have a change that waits for a second person, for those who may see that. */
function useWaiting(isShown: boolean): (key: string) => boolean {
  const query = { filter: JSON.stringify({ state: 'waiting' }) }
  const { data } = useQuery({ ...read(operatorProposals.list, { query }), enabled: isShown })
  return (key) => data?.some(({ kind, subject }) => kind === 'setting' && subject === key) ?? false
}

function SectionForm({
  section,
  settings,
}: {
  section: SettingSection
  settings: readonly OperatorSetting[]
}) {
  const may = useMay()
  const [drafts, setDrafts] = useState<Drafts>({})
  // Fields that keep what was typed begin anew.
  const [round, setRound] = useState(0)
  const [isSaving, setSaving] = useState(false)
  const isMine = may(`settings.${section}`)
  const isWaiting = useWaiting(section === 'money' && isMine)
  const changes = changesOf(drafts)
  const isWrong = changes.some(({ text, seen }) => problemOf(seen.id, text) !== undefined)
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
        {[...panelsOf(settings)].map(([title, listed]) => (
          <Panel key={title} title={title}>
            {listed.map((setting) => (
              <SettingRow
                key={`${setting.id}-${round}`}
                setting={setting}
                draft={drafts[setting.id]}
                isWaiting={isWaiting(setting.id)}
                onDraft={(draft) => setDraft(setting.id, draft)}
              />
            ))}
          </Panel>
        ))}
      </fieldset>
      {changes.length > 0 && (
        <div
          role="status"
          className="sticky bottom-0 z-10 flex flex-wrap items-center gap-3 rounded-lg border border-line-strong bg-raised p-3 shadow-card"
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
