import { useState } from 'react'
import { auditActionName } from '#contract/operator/audit-names.ts'
import { operatorSettings, type OperatorSetting } from '#contract/operator/setting-calls.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { settingsCopy as copy } from '#admin/features/settings/settings.copy.ts'
import { momentText } from '#admin/kit/format.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { SettingChange } from '#admin/kit/setting-value.tsx'
import { read } from '#admin/query.ts'

const PAGE_ROWS = 50

/** What became of a setting, the newest change first. */
export function HistoryDialog({ setting, onClose }: { setting: OperatorSetting; onClose: () => void }) {
  const [before, setBefore] = useState<string>()
  const query = read(operatorSettings.history, {
    params: { key: setting.id },
    query: before === undefined ? {} : { before },
  })
  return (
    <Dialog title={copy.historyOf(setting.label)} onClose={onClose}>
      <Loaded query={query}>
        {(rows) => (
          <>
            {rows.length === 0 && <p>{copy.noHistory}</p>}
            <ol className="space-y-4">
              {rows.map((row) => (
                <li key={row.id} className="space-y-1">
                  <p>
                    <strong>{auditActionName(row.action)}</strong> · {row.actor?.username ?? copy.system} ·{' '}
                    {momentText(row.at)}
                  </p>
                  <SettingChange id={setting.id} before={row.before} after={row.after} />
                  {row.reason && <p className="text-sm text-soft">{row.reason}</p>}
                </li>
              ))}
            </ol>
            {rows.length === PAGE_ROWS && (
              <Button kind="plain" className="mt-4" onClick={() => setBefore(rows.at(-1)?.id)}>
                {copy.older}
              </Button>
            )}
          </>
        )}
      </Loaded>
    </Dialog>
  )
}
