import { settingAddress } from '#admin/kit/setting-value.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { settingDefinitions } from '#contract/operator/settings.ts'
import type { Place } from './places.ts'

/** Every setting, as a place of its section. Loaded when something is looked for. */
export const settingPlaces: readonly Place[] = Object.entries(settingDefinitions).map(
  ([key, { label, section }]) => ({
    kind: 'setting',
    title: label,
    to: settingAddress(key),
    of: kitCopy.setting.sections[section],
    words: 'cài đặt',
  }),
)
