import * as z from 'zod/mini'
import { isOfDownloads } from '#admin/kit/setting-value.tsx'
import type { OperatorSetting } from '#contract/operator/setting-calls.ts'
import { settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { settingsCopy as copy } from './settings.copy.ts'

/** A typed value, and the setting as it was when typing began. */
export type Draft = { text: string; base: OperatorSetting }

export type Drafts = Readonly<Record<string, Draft>>

/** What is wrong with a typed value by the rule of its key; undefined when nothing is. */
export function problemOf(key: string, text: string): string | undefined {
  const { schema } = settingDefinitions[key as SettingKey]
  const result = z.safeParse(schema, text)
  return result.error?.issues[0]?.message
}

/** The drafts that would change something. */
export const changesOf = (drafts: Drafts): Draft[] =>
  Object.values(drafts).filter(({ text, base }) => text !== base.value)

/** The newest time of change of the settings to be saved, which the server compares. */
export const newestUpdate = (changes: readonly Draft[]): string | null =>
  changes
    .flatMap(({ base }) => base.updated_at ?? [])
    .sort()
    .at(-1) ?? null

const PANELS: readonly [RegExp, keyof typeof copy.panels][] = [
  [/^(seller|licence)_/, 'seller'],
  [/^zalo_|^fanpage_|^group_/, 'community'],
  [/_hosts$/, 'hosts'],
  [/^exchange_/, 'exchange'],
  [/^recharge_/, 'recharge'],
  [/^transfer_/, 'transfer'],
  [/^bank_account_/, 'accounts'],
  [/^check_in_/, 'checkIn'],
]

const headingOf = (key: string) =>
  copy.panels[
    isOfDownloads(key) ? 'downloads' : (PANELS.find(([pattern]) => pattern.test(key))?.[1] ?? 'general')
  ]

const ORDER = Object.keys(settingDefinitions)
/** A file comes after the link it belongs to. */
const placeOf = (key: string) => ORDER.indexOf(key.replace(/_file$/, '')) + (key.endsWith('_file') ? 0.5 : 0)

/** The settings of a section, in the order of their definitions, under the headings of what they are about. */
export function panelsOf(settings: readonly OperatorSetting[]): Map<string, OperatorSetting[]> {
  const panels = new Map<string, OperatorSetting[]>()
  for (const setting of [...settings].sort((one, other) => placeOf(one.id) - placeOf(other.id))) {
    const title = headingOf(setting.id)
    panels.set(title, [...(panels.get(title) ?? []), setting])
  }
  return panels
}
