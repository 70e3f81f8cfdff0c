import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { SectionForm } from '#admin/features/settings/section-form.tsx'
import { settingsCopy } from '#admin/features/settings/settings.copy.ts'
import { Loaded } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { isOfDownloads } from '#admin/kit/setting-value.tsx'
import { read } from '#admin/query.ts'

const query = { filter: JSON.stringify({ section: 'content' }), range: '[0,99]' }

/** The versions of the game that can be downloaded: their links and what is said of their files. */
export function Component() {
  return (
    <ScreenFrame title={settingsCopy.panels.downloads}>
      <Loaded query={read(operatorSettings.list, { query })}>
        {(settings) => (
          <SectionForm section="content" settings={settings.filter(({ id }) => isOfDownloads(id))} />
        )}
      </Loaded>
    </ScreenFrame>
  )
}
