import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { read } from '#admin/query.ts'
import type { Good } from '#contract/deliveries.ts'
import { formatNumber } from '#contract/format.ts'
import { type GoodsCatalogue, operatorGoods } from '#contract/operator/rewards/catalogue.ts'
import { GOODS_MAX, goodsAsTyped, goodsIn } from '#contract/operator/rewards/goods.ts'
import { searchForm } from '#contract/search-form.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { kitCopy } from './kit.copy.ts'

const copy = kitCopy.goods

/** One good as it is chosen; `what` is a name of the list, or a code. */
type Row = { key: number; what: string; quantity: string; days: string }

type Choice = { name: string; good: Pick<Good, 'kind' | 'code'>; max: number | null }

/** Luong and yen first, then the game's items by the names that players read. */
function choicesOf(catalogue: GoodsCatalogue | null): Choice[] {
  const { items, max } = catalogue ?? { items: [], max: null }
  return [
    { name: copy.luong, good: { kind: 'luong' }, max: max?.luong ?? null },
    { name: copy.yen, good: { kind: 'yen' }, max: max?.yen ?? null },
    ...items.map(({ code, name, max: most }) => ({
      name: copy.item(name, code),
      good: { kind: 'item' as const, code },
      max: most,
    })),
  ]
}

/** The choice that was typed: by its name as it is listed, or by its code. */
const chosenBy = (choices: readonly Choice[], what: string): Choice | undefined => {
  const typed = what.normalize('NFC').trim().toLowerCase()
  return choices.find(({ name, good }) => name.toLowerCase() === typed || good.code?.toLowerCase() === typed)
}

const rowsOf = (text: string, choices: readonly Choice[]): Row[] =>
  (goodsIn(text) ?? []).map(({ kind, code, quantity, days }, key) => ({
    key,
    what: choices.find(({ good }) => good.kind === kind && good.code === code)?.name ?? code ?? '',
    quantity: formatNumber(quantity),
    days: days === undefined ? '' : String(days),
  }))

const EMPTY: Omit<Row, 'key'> = { what: '', quantity: '', days: '' }

/** The goods of the rows as `goodsIn` reads them; what cannot be read stays as it was typed, for the rule to refuse. */
function typedGoods(rows: readonly Row[], choices: readonly Choice[]): string {
  return rows
    .filter(({ what, quantity }) => what !== '' || quantity !== '')
    .map(({ what, quantity, days }) => {
      const good = chosenBy(choices, what)?.good ?? { kind: 'item' as const, code: what.trim() }
      const many = Number(quantity.replace(/[.,\s]/g, ''))
      const span = days.trim() === '' || good.kind !== 'item' ? {} : { days: Number(days) }
      return goodsAsTyped([{ ...good, quantity: many, ...span }])
    })
    .join(' + ')
}

type Props = {
  label: string
  /** Goods as `goodsIn` reads them. */
  value: string
  error?: string | undefined
  onText: (text: string) => void
}

/** Goods chosen from the game's list, each with the most that the game takes at once. */
export function GoodsField({ label, value, error, onText }: Props) {
  const { data } = useQuery(read(operatorGoods.read, {}))
  const choices = choicesOf(data?.catalogue ?? null)
  const [rows, setRows] = useState<Row[]>(() => {
    const given = rowsOf(value, choices)
    return given.length > 0 ? given : [{ ...EMPTY, key: 0 }]
  })
  const list = useId()
  const change = (next: Row[]) => {
    setRows(next)
    onText(typedGoods(next, choices))
  }
  const setRow = (key: number, part: Partial<Row>) =>
    change(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  return (
    <fieldset className="space-y-3">
      <legend className="mb-1 font-bold">{label}</legend>
      {data?.catalogue === null && <p className="text-sm text-soft">{copy.unknown}</p>}
      <datalist id={list}>
        {choices.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </datalist>
      {rows.map((row, index) => (
        <RowFields
          key={row.key}
          row={row}
          choices={choices}
          list={list}
          chosen={chosenBy(choices, row.what)}
          isListed={data?.catalogue !== null}
          error={index === 0 ? error : undefined}
          onChange={(part) => setRow(row.key, part)}
        >
          {rows.length > 1 && (
            <Button
              kind="plain"
              className="sm:mt-7"
              aria-label={copy.removeOf(index + 1)}
              onClick={() => change(rows.filter(({ key }) => key !== row.key))}
            >
              {copy.remove}
            </Button>
          )}
        </RowFields>
      ))}
      {rows.length < GOODS_MAX && (
        <Button
          kind="plain"
          onClick={() => setRows([...rows, { ...EMPTY, key: Math.max(...rows.map(({ key }) => key)) + 1 }])}
        >
          {copy.add}
        </Button>
      )}
    </fieldset>
  )
}

type RowProps = {
  row: Row
  choices: readonly Choice[]
  /** Id of the list of choices. */
  list: string
  chosen: Choice | undefined
  /** The game has said what there is. */
  isListed: boolean
  error: string | undefined
  onChange: (part: Partial<Row>) => void
  children: ReactNode
}

/** The drawing of a good; an item that none was drawn for has that of a package. */
const pictureOf = ({ kind, code }: Pick<Good, 'kind' | 'code'>): string =>
  `/images/gifts/${kind === 'item' ? (DRAWN_ITEMS.find((one) => one === code) ?? 'package-9999') : kind}.svg`

const DRAWN_ITEMS = ['pet', 'companion'] as const

function RowFields({ row, choices, list, chosen, isListed, error, onChange, children }: RowProps) {
  const most = chosen?.max ?? null
  return (
    <div className="grid items-start gap-3 rounded-lg border border-line p-3 sm:grid-cols-[2fr_1fr_1fr_auto]">
      <Field
        label={copy.what}
        list={list}
        autoComplete="off"
        value={row.what}
        error={error}
        hint={row.what !== '' && isListed && !chosen ? copy.notListed : undefined}
        onChange={({ target }) => onChange({ what: target.value })}
      />
      <Field
        label={copy.quantity}
        inputMode="numeric"
        autoComplete="off"
        value={row.quantity}
        hint={most === null ? undefined : copy.most(formatNumber(most))}
        onChange={({ target }) => onChange({ quantity: target.value })}
      />
      <Field
        label={copy.days}
        inputMode="numeric"
        autoComplete="off"
        value={row.days}
        disabled={chosen !== undefined && chosen.good.kind !== 'item'}
        onChange={({ target }) => onChange({ days: target.value })}
      />
      {children}
      <PictureList
        choices={choices}
        typed={chosen ? '' : row.what}
        chosen={chosen}
        onChoose={(what) => onChange({ what })}
      />
    </div>
  )
}

/** So many are shown; who does not find theirs types more of its name. */
const PICTURES_MAX = 12

type PictureProps = {
  choices: readonly Choice[]
  typed: string
  chosen: Choice | undefined
  onChoose: (what: string) => void
}

/** The chosen good with its picture, and the list to choose another one from. */
function PictureList({ choices, typed, chosen, onChoose }: PictureProps) {
  const [isOpen, setOpen] = useState(false)
  const form = searchForm(typed)
  const found = choices.filter(({ name }) => searchForm(name).includes(form)).slice(0, PICTURES_MAX)
  return (
    <details
      className="col-span-full"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 text-sm text-vermilion underline">
        {chosen && <img src={pictureOf(chosen.good)} alt="" width={32} height={32} />}
        {chosen ? chosen.name : copy.fromList}
      </summary>
      <ul className="grid gap-2 sm:grid-cols-3">
        {found.map(({ name, good }) => (
          <li key={name}>
            <button
              type="button"
              className="flex min-h-11 w-full items-center gap-2 rounded-lg border border-line p-2 text-left text-sm hover:bg-sunken"
              onClick={() => {
                onChoose(name)
                setOpen(false)
              }}
            >
              <img src={pictureOf(good)} alt="" width={32} height={32} />
              <span className="min-w-0 wrap-anywhere">{name}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** What may be written into a calendar, where goods are typed as text. */
export function GoodsList() {
  const { data } = useQuery(read(operatorGoods.read, {}))
  if (!data) return null
  if (data.catalogue === null) return <p className="text-sm text-soft">{copy.unknown}</p>
  const { items, max } = data.catalogue
  return (
    <details className="rounded-lg border border-line p-3">
      <summary className="cursor-pointer font-bold">{copy.listOf(formatNumber(items.length))}</summary>
      <ul className="mt-2 grid max-h-64 gap-x-6 gap-y-1 overflow-y-auto text-sm sm:grid-cols-2">
        <li>{copy.listed(copy.luong, formatNumber(max.luong))}</li>
        <li>{copy.listed(copy.yen, formatNumber(max.yen))}</li>
        {items.map(({ code, name, max: most }) => (
          <li key={code}>{copy.listed(copy.item(name, code), formatNumber(most))}</li>
        ))}
      </ul>
    </details>
  )
}
