import { formatNumber } from '../../format-number.ts'
import { formatMoment } from '../../vietnam-time.ts'
import { ROLE_WORDS } from '../words.ts'
import { isRecord, type Act } from './audited-act.ts'
import type { Change } from './parts.ts'

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
      ? `${formatNumber(value['length'])} kí tự, mã ${String(value['sha256']).slice(0, 8)}`
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

/** The whole of `before` and `after` is one value. */
export function changeOf(act: Act, { label, text }: Field): Change[] {
  const [before, after] = [text(act.at('before'), act), text(act.at('after'), act)]
  return before === after ? [] : [{ label, before, after }]
}
