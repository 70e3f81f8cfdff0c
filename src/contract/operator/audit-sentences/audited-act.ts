import { formatNumber } from '../../format-number.ts'
import { formatMoment } from '../../vietnam-time.ts'
import { settingDefinitions, type SettingKey } from '../settings.ts'
import { THING_WORDS } from '../words.ts'
import type { Part, Thing } from './parts.ts'

/** What a row of the audit trail says. */
export type AuditedAct = { action: string; subject: Thing; details: Readonly<Record<string, unknown>> }

/** The present name of a thing; undefined when it has none any more. */
export type NameOf = (thing: Thing) => string | undefined

/** Subjects under which something else is recorded than what they name. */
const NAMED_AS: Record<string, string> = {
  adjustment: 'user',
  'second-factor': 'user',
  roles: 'user',
  'planned-price': 'setting',
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textIn = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingDefinitions, key)

/** Kinds that a sentence names before the thing itself. */
const NAMED_BEFORE: readonly string[] = [
  'server',
  'ranking-group',
  'post',
  'category',
  'picture',
  'tournament',
]

/** A setting by its label, what the database names by that, the rest by its kind and number. */
export function nameOfThing({ type, id }: Thing, nameOf: NameOf): string {
  const known = NAMED_AS[type] ?? type
  if (known === 'setting') return isSettingKey(id) ? `“${settingDefinitions[id].label}”` : `“${id}”`
  if (known === 'payment_order') return id
  const kind = NAMED_BEFORE.includes(known) ? '' : `${THING_WORDS[known]?.toLowerCase() ?? known} `
  return nameOf({ type: known, id }) ?? `${kind}số ${id}`
}

/** Reads a row of the trail for its sentence. Rows of older programs may lack any of it. */
export function readAct({ subject, details }: AuditedAct, nameOf: NameOf) {
  const at = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), details)
  const text = (path: string) => textIn(at(path))
  const number = (path: string) => {
    const value = Number(text(path))
    return Number.isSafeInteger(value) ? value : 0
  }
  const thing = (type: string, id: string): Part => ({
    text: nameOfThing({ type, id }, nameOf),
    thing: { type: NAMED_AS[type] ?? type, id },
  })
  return {
    subject,
    at,
    text,
    number,
    thing,
    /** What the row is about, by its present name, else by the one the row has. */
    itself: (title = 'name'): Part => {
      const stored = text(`after.${title}`) || text(`before.${title}`)
      const part = thing(subject.type, subject.id)
      const isUnknown = nameOf({ type: NAMED_AS[subject.type] ?? subject.type, id: subject.id }) === undefined
      return isUnknown && stored !== '' ? { text: `“${stored}”`, thing: null } : part
    },
    /** Whom an id in the row names; who is not named is “một người chơi”. */
    person: (path: string): Part =>
      text(path) === '' ? { text: 'một người chơi', thing: null } : thing('user', text(path)),
    coins: (path: string): string => `${formatNumber(Math.abs(number(path)))} TCoin`,
    vnd: (path: string): string => `${formatNumber(number(path))} đ`,
    moment: (path: string): string => formatMoment(text(path)),
    list: (path: string): readonly unknown[] => {
      const value = at(path)
      return Array.isArray(value) ? value : []
    },
  }
}

export type Act = ReturnType<typeof readAct>
