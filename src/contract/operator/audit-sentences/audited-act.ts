import { formatMoment, formatNumber } from '../../format.ts'
import { allLines, storedTerms } from '../proposal-terms.ts'
import { settingDefinitions, type SettingKey } from '../settings.ts'
import { ROLE_WORDS, THING_WORDS } from '../words.ts'
import type { Change, Part, Thing } from './parts.ts'

/** The content of a row of the audit trail. */
export type AuditedAct = { action: string; subject: Thing; details: Readonly<Record<string, unknown>> }

/** The present name of a thing; undefined when it has none any more. */
export type NameOf = (thing: Thing) => string | undefined

/** Subjects under which something else is recorded than what they name. */
const NAMED_AS: Record<string, string> = {
  adjustment: 'user',
  'second-factor': 'user',
  'account-return': 'user',
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

/** What was done, beginning with the verb, and what it changed. */
export type Sentence = { say(act: Act): Part[]; changes?(act: Act): Change[] }

/** How a stored value reads; a field without a name is not shown. */
export type Field = { label: string; text(value: unknown, act: Act): string }

const field = (label: string, text: (value: unknown, act: Act) => string): Field => ({ label, text })

const LONGEST = 300

const shortened = (value: string): string => (value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value)

export const plain = (label: string): Field =>
  field(label, (value) =>
    typeof value === 'string' ? shortened(value) : typeof value === 'number' ? String(value) : '',
  )

export const amount = (label: string, unit: string): Field =>
  field(label, (value) => (typeof value === 'number' ? `${formatNumber(value)} ${unit}`.trim() : ''))

export const yesNo = (label: string): Field =>
  field(label, (value) => (typeof value === 'boolean' ? (value ? 'có' : 'không') : ''))

export const momentField = (label: string): Field =>
  field(label, (value) => (typeof value === 'string' ? formatMoment(value) : ''))

/** A state in the words of its own screen; one that has none as it is. */
export const state = (label: string, meanings: Readonly<Record<string | number, string>>): Field =>
  field(label, (value) =>
    typeof value === 'string' || typeof value === 'number' ? (meanings[value] ?? String(value)) : '',
  )

export const things = (label: string, type: string): Field =>
  field(label, (value, act) =>
    (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value])
      .map((id) => act.thing(type, String(id)).text)
      .join(', '),
  )

/** A text of which the trail holds its hash and length only. */
export const longText = (label: string): Field =>
  field(label, (value) =>
    isRecord(value) && typeof value['length'] === 'number'
      ? `${formatNumber(value['length'])} ký tự, mã ${String(value['sha256']).slice(0, 8)}`
      : '',
  )

const roleNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(',').filter(Boolean) : []

/** Roles as a list or with commas between them, as proposals hold them. */
export const rolesText = (value: unknown): string =>
  roleNames(value)
    .map((role) => (ROLE_WORDS as Record<string, string>)[role] ?? role)
    .join(', ') || 'không có vai trò'

export const custom = field

export type Fields = Readonly<Record<string, Field>>

/** Each field that is not the same before and after. */
export function changesOf(act: Act, fields: Fields): Change[] {
  const [before, after] = [act.at('before'), act.at('after')]
  return Object.entries(fields).flatMap(([name, { label, text }]) => {
    const [old, now] = [before, after].map((side) => (isRecord(side) ? text(side[name], act) : ''))
    return old === now ? [] : [{ label, before: old ?? '', after: now ?? '' }]
  })
}

/** The terms of what was proposed or started; none in rows of older programs. */
export function termsIn(act: Act): Change[] {
  const terms = storedTerms(act.at('terms'))
  return terms === null ? [] : allLines(terms)
}

/** The whole of `before` and `after` is one value. */
export function changeOf(act: Act, { label, text }: Field): Change[] {
  const [before, after] = [text(act.at('before'), act), text(act.at('after'), act)]
  return before === after ? [] : [{ label, before, after }]
}
