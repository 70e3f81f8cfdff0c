import { downloadKeys } from '#contract/downloads.ts'
import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'

const ofDownloads: ReadonlySet<string> = new Set(
  Object.values(downloadKeys).flatMap((keys) => keys.flatMap((key) => [key, `${key}_file`])),
)

/** Whether a setting belongs to a version of the game; these have a screen of their own. */
export const isOfDownloads = (key: string): boolean => ofDownloads.has(key)

/** The screen on which a setting is changed. */
export function settingAddress(key: string): string {
  if (isOfDownloads(key)) return `/downloads#${key}`
  const section = Object.hasOwn(settingDefinitions, key)
    ? settingDefinitions[key as SettingKey].section
    : 'content'
  return `/settings/${section}#${key}`
}
