import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { changeFactor } from '#contract/operator/settings.ts'
import { CallError } from '#client/call.ts'
import { newestSeen, type Draft } from '#admin/features/settings/drafts.ts'
import { settingsCopy as copy } from '#admin/features/settings/settings.copy.ts'
import { ActDialog } from '#admin/kit/act-dialog.tsx'
import { SettingChange } from '#admin/kit/setting-value.tsx'
import { TestQr } from '#admin/kit/test-qr.tsx'
import { useRefresh } from '#admin/kit/use-send.ts'

type Props = { changes: readonly Draft[]; onDone: () => void; onClose: () => void }

/** What will be changed, from what to what, with the reason. Where somebody else was faster the screen says so. */
export function SaveDialog({ changes, onDone, onClose }: Props) {
  const refresh = useRefresh()
  const values = Object.fromEntries(changes.map(({ seen, text }) => [seen.id, text]))
  return (
    <ActDialog
      title={copy.confirmTitle}
      submitLabel={copy.save}
      endpoint={operatorSettings.update}
      toBody={({ reason }) => ({ values, updated_at: newestSeen(changes), reason })}
      onDone={onDone}
      onRefused={(error) => {
        if (!(error instanceof CallError) || error.body?.code !== 'CONFLICT') return
        refresh()
        onClose()
      }}
      onClose={onClose}
    >
      {() =>
        changes.map(({ seen: { id, label, kind, value }, text }) => (
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
