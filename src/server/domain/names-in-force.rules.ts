import { CLASS_NAMES } from '#contract/characters.ts'

export type NamedCode = { kind: string; code: string; name: string; short_name: string | null }

const SHORT_NAMES: Readonly<Record<string, string>> = { 0: 'Chưa vào', 2: 'Tiêu', 6: 'Hái' }

/** A name that the portal came with; what the game itself calls the class goes before it. */
export const isUsualName = ({ kind, code, name, short_name }: NamedCode): boolean =>
  kind === 'class' && CLASS_NAMES[Number(code)] === name && short_name === (SHORT_NAMES[code] ?? null)

/** Of operators; then what the game calls its classes and heads; then what the portal came with. */
export function inForce(stored: readonly NamedCode[], told: readonly NamedCode[]): NamedCode[] {
  const usual = stored.filter(isUsualName)
  const isNew = ({ code, name }: NamedCode) => !usual.some((one) => one.code === code && one.name === name)
  return [...usual, ...told.filter(isNew), ...stored.filter((one) => !usual.includes(one))]
}
