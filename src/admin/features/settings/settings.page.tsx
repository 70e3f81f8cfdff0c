import { Link, useParams } from 'react-router'
import { Loaded } from '#admin/kit/loaded.tsx'
import { ScreenFrame } from '#admin/kit/screen.tsx'
import { isOfCheckIn, isOfDownloads } from '#admin/kit/setting-value.tsx'
import { read } from '#admin/query.ts'
import { operatorSettings } from '#contract/operator/setting-calls.ts'
import { SETTING_SECTIONS, type SettingSection } from '#contract/operator/settings.ts'
import { SectionForm } from './section-form.tsx'
import { settingsCopy as copy } from './settings.copy.ts'

const sectionOf = (text: string | undefined): SettingSection =>
  SETTING_SECTIONS.find((section) => section === text) ?? 'content'

export function Component() {
  const section = sectionOf(useParams()['section'])
  const query = { filter: JSON.stringify({ section }), range: '[0,99]' }
  return (
    <ScreenFrame>
      <nav aria-label={copy.sectionsLabel} className="flex flex-wrap gap-2">
        {SETTING_SECTIONS.map((one) => (
          <Link
            key={one}
            to={`/settings/${one}`}
            aria-current={one === section ? 'page' : undefined}
            className="inline-flex min-h-11 items-center rounded-lg border border-line-strong px-4 font-bold text-ink no-underline aria-[current]:border-vermilion aria-[current]:bg-wash"
          >
            {copy.sections[one]}
          </Link>
        ))}
      </nav>
      <Loaded key={section} query={read(operatorSettings.list, { query })}>
        {(settings) => (
          <SectionForm
            section={section}
            settings={settings.filter(({ id }) => !isOfDownloads(id) && !isOfCheckIn(id))}
          />
        )}
      </Loaded>
    </ScreenFrame>
  )
}
