import { Loaded } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { isOfDownloads } from '#admin/kit/setting-value.tsx'
import { read } from '#admin/query.ts'
import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { SectionForm } from './section-form.tsx'

const query = { filter: JSON.stringify({ section: 'links' }), range: '[0,99]' }

/** The versions of the game that can be downloaded: their links, and the facts about their files. */
export function Component() {
  return (
    <ScreenFrame>
      <Loaded query={read(operatorSettings.list, { query })}>
        {(settings) => (
          <SectionForm section="links" settings={settings.filter(({ id }) => isOfDownloads(id))} />
        )}
      </Loaded>
    </ScreenFrame>
  )
}
