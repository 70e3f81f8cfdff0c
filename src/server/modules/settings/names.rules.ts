import { GIFT_PACKAGES } from '#contract/gift-packages.ts'
import type { GameName, GameNameKind } from '#contract/operator/game/names.ts'
import { isUsualName } from '#server/domain/names-in-force.rules.ts'
import { holdsWords, searchedWords } from '#contract/search-form.ts'

type Code = { kind: GameNameKind; code: string }
/** A code that the game describes, and its own name for it. */
export type Described = Code & { name: string | null }
type Stored = Code & { name: string; short_name: string | null; updated_at: Date }

export const idOf = ({ kind, code }: Code): string => `${kind}:${code}`

/** What the portal sells. */
const SOLD: readonly Code[] = GIFT_PACKAGES.flatMap(({ items }) =>
  items.flatMap(({ good: { code } }) => (code === undefined ? [] : [{ kind: 'item' as const, code }])),
)

/** A game answers −1 for a class or head that it does not know. */
const isNameable = ({ kind, code }: Code): boolean =>
  (kind !== 'class' && kind !== 'head') || /^(0|[1-9]\d{0,5})$/.test(code)

type Sources = { described: readonly Described[]; used: readonly Code[]; stored: readonly Stored[] }

/** Every code with all that is known of it. */
export function listedNames({ described, used, stored }: Sources): GameName[] {
  const found = new Map<string, GameName>()
  const rowOf = ({ kind, code }: Code): GameName => {
    const id = idOf({ kind, code })
    const known = found.get(id)
    if (known !== undefined) return known
    const nothing = { name: null, short_name: null, told_name: null, updated_at: null }
    const row = { id, kind, code, ...nothing, is_described: false, is_used: false }
    found.set(id, row)
    return row
  }
  for (const one of described.filter(isNameable))
    Object.assign(rowOf(one), { told_name: one.name, is_described: true })
  for (const one of [...used, ...SOLD].filter(isNameable)) rowOf(one).is_used = true
  for (const { updated_at, ...one } of stored) {
    const row = rowOf(one)
    row.updated_at = updated_at.toISOString()
    const isReplaced = isUsualName(one) && row.told_name !== null && row.told_name !== one.name
    if (!isReplaced) Object.assign(row, { name: one.name, short_name: one.short_name })
  }
  return [...found.values()]
}

const KINDS: readonly GameNameKind[] = ['class', 'item', 'board', 'head']

const ofKind = ({ kind }: Code) => KINDS.indexOf(kind)

/** Numbers in codes count as numbers. */
const codes = new Intl.Collator('vi', { numeric: true })

/** Those without a name first, then by kind and code. */
export const inOrder =
  (order: 'asc' | 'desc') =>
  (one: GameName, other: GameName): number =>
    Number(one.name !== null) - Number(other.name !== null) ||
    ofKind(one) - ofKind(other) ||
    codes.compare(one.code, other.code) * (order === 'asc' ? 1 : -1)

type Filter = {
  id?: readonly string[] | undefined
  kind?: GameNameKind | undefined
  unnamed?: boolean | undefined
  q?: string | undefined
}

export const fits =
  ({ id, kind, unnamed, q = '' }: Filter) =>
  (row: GameName): boolean =>
    (id?.includes(row.id) ?? true) &&
    (kind === undefined || row.kind === kind) &&
    (unnamed === undefined || (row.name === null) === unnamed) &&
    [row.code, row.name, row.told_name].some((text) => text !== null && holdsWords(text, searchedWords(q)))
