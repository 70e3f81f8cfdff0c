import { useLayoutEffect } from 'react'
import { kitCopy } from './kit.copy.ts'

/** The keys of the open screen. */
let shown: Keys = {}

/** Registers the keys of a screen while it is open; `?` lists them. */
export function useScreenKeys(keys: Keys): void {
  // Before the screen is painted: a key pressed as soon as it is visible counts already.
  useLayoutEffect(() => {
    shown = keys
    return () => {
      shown = {}
    }
  })
}

/** The screen's own keys go before those of its list. */
export const keysOfScreen = (): Keys => ({ ...rowKeys(), ...shown })

/** Runs the act of a key on this screen; false when it has none. */
export function actOfKey(key: string): boolean {
  const found = keysOfScreen()[key]
  return found !== undefined && found.act() !== false
}

/** Keys, each with what it does in words. An act that answers false leaves the key its usual meaning. */
type Keys = Record<string, { label: string; act: () => boolean | void }>

const copy = kitCopy.rowKeys

/** Where the keys were last: after the way back from a row's screen they continue there. */
let last = { address: '', row: '' }

const rowsOfScreen = () => [...document.querySelectorAll<HTMLElement>('main .data-table tbody tr')]

const currentRow = () => document.activeElement?.closest<HTMLElement>('main .data-table tbody tr') ?? null

const addressOf = ({ pathname, search }: Location) => pathname + search

/** False when there is nowhere to go, so that the key keeps its usual meaning. */
function move(by: 1 | -1): boolean {
  const rows = rowsOfScreen()
  const current = currentRow()
  const remembered =
    last.address === addressOf(location) ? rows.find(({ dataset }) => dataset['row'] === last.row) : undefined
  const next = current
    ? rows[rows.indexOf(current) + by]
    : (remembered ?? rows[by === 1 ? 0 : rows.length - 1])
  if (next === undefined) return current !== null
  next.focus()
  last = { address: addressOf(location), row: next.dataset['row'] ?? '' }
  return true
}

/** What opens a row: its first link, else its first button, such as “Sửa”. */
function openRow(): boolean {
  // A link or a button inside of the row does what it does by itself.
  const row = document.activeElement
  if (row === null || row !== currentRow()) return false
  const opener = row.querySelector<HTMLElement>('a[href]') ?? row.querySelector('button')
  opener?.click()
  return opener !== null
}

function markRow(): boolean {
  const mark = currentRow()?.querySelector<HTMLElement>('[data-mark]')
  mark?.click()
  return mark !== null && mark !== undefined
}

function markAll(): boolean {
  const mark = document.querySelector<HTMLElement>('main [data-mark-all]:not(:disabled)')
  mark?.click()
  return mark !== null
}

/** The keys of every list. They work on what is shown, so no list has to register them. */
function rowKeys(): Keys {
  if (rowsOfScreen().length === 0) return {}
  return {
    j: { label: copy.next, act: () => move(1) },
    k: { label: copy.previous, act: () => move(-1) },
    Enter: { label: copy.open, act: openRow },
    ...(document.querySelector('main .data-table [data-mark]') && {
      x: { label: copy.mark, act: markRow },
      X: { label: copy.markAll, act: markAll },
    }),
  }
}
