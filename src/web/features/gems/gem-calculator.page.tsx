import { useId, useState } from 'react'
import { afterPress } from '#client/after-press.ts'
import { useSearchParams } from '#web/navigation.tsx'
import { formatNumber } from '#contract/format.ts'
import { GEM_LEVEL_MAX, GEMS_PER_LEVEL, gemsBetween } from '#contract/gems.ts'
import { pages } from '#contract/pages.ts'
import { Button } from '#ui/button.tsx'
import { SelectField } from '#ui/field.tsx'
import {
  FIRST_INPUTS,
  gemTotals,
  readInputs,
  sharePath,
  type GemInputs,
} from '#web/features/gems/gem-inputs.ts'
import { gemsCopy as copy } from '#web/features/gems/gems.copy.ts'
import type { Page } from '#web/page.ts'
import { useHydrated } from '#ui/use-hydrated.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { Icon } from '#ui/icon.tsx'
import { copyText } from '#web/parts/clipboard/copy-row.tsx'

const TOTALS_ID = 'totals'

const levels = Array.from({ length: GEM_LEVEL_MAX + 1 }, (_, level) => level)

function GemCalculatorPage() {
  const [address] = useSearchParams()
  const [typed, setTyped] = useState<Partial<GemInputs>>({})
  const isHydrated = useHydrated()
  const shared = isHydrated ? readInputs(address) : FIRST_INPUTS
  const inputs = { ...shared, ...typed }

  return (
    <div className="shell-width pt-8">
      <h1 className="brush-title text-3xl">{pages.gemCalculator.title}</h1>
      <p className="mt-3 mb-6 max-w-text text-soft">{copy.lead}</p>
      <div className="grid items-start gap-6 md:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0">
          <noscript>
            <p className="mb-3">{copy.noScript}</p>
          </noscript>
          <GemForm inputs={inputs} onChange={(change) => setTyped((before) => ({ ...before, ...change }))} />
        </div>
        <Totals inputs={inputs} />
      </div>
      <section aria-label={copy.table} className="mt-10">
        <h2 className="brush-title mb-6 text-3xl">{copy.table}</h2>
        <GemTable from={inputs.from} to={inputs.to} />
      </section>
    </div>
  )
}

type FormProps = {
  inputs: GemInputs
  onChange: (change: Partial<GemInputs>) => void
}

function GemForm({ inputs, onChange }: FormProps) {
  const reversedId = useId()
  const [isSubmitted, setSubmitted] = useState(false)
  const isReversed = inputs.from >= inputs.to
  return (
    <form
      className="rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5"
      onSubmit={(event) => {
        event.preventDefault()
        setSubmitted(true)
        // The totals are there all the time: on a phone they are below the form.
        if (!isReversed && inputs.gemPrice && inputs.serverPrice) document.getElementById(TOTALS_ID)?.focus()
      }}
    >
      <fieldset className="form-fields space-y-5">
        <legend className="mb-3 text-xl font-bold">{copy.inputs}</legend>
        <div className="grid grid-cols-2 gap-x-3">
          <LevelField
            label={copy.fromLevel}
            level={inputs.from}
            choices={levels.slice(0, -1)}
            onLevel={(from) => onChange({ from })}
          />
          <LevelField
            label={copy.toLevel}
            level={inputs.to}
            choices={levels.slice(1)}
            sharedErrorId={isReversed ? reversedId : undefined}
            onLevel={(to) => onChange({ to })}
          />
          {/* Across both columns, where the fields' own notes would stand: a shared link moves nothing. */}
          {isReversed && (
            <p id={reversedId} role="alert" className="col-span-2 -mt-4 -mb-1 text-sm text-vermilion">
              {copy.reversed}
            </p>
          )}
        </div>
        <PriceField
          label={copy.gemPrice}
          hint={copy.gemPriceHint}
          price={inputs.gemPrice}
          isSubmitted={isSubmitted}
          onPrice={(gemPrice) => onChange({ gemPrice })}
        />
        <PriceField
          label={copy.serverPrice}
          hint={copy.serverPriceHint}
          price={inputs.serverPrice}
          isSubmitted={isSubmitted}
          onPrice={(serverPrice) => onChange({ serverPrice })}
        />
        <Button type="submit" className="w-full">
          {copy.calculate}
        </Button>
      </fieldset>
    </form>
  )
}

type LevelProps = {
  label: string
  level: number
  choices: readonly number[]
  sharedErrorId?: string
  onLevel: (level: number) => void
}

function LevelField({ label, level, choices, sharedErrorId, onLevel }: LevelProps) {
  return (
    <SelectField
      label={label}
      value={level}
      sharedErrorId={sharedErrorId}
      onChange={({ target }) => onLevel(Number(target.value))}
    >
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {copy.level(choice)}
        </option>
      ))}
    </SelectField>
  )
}

type PriceProps = {
  label: string
  hint: string
  price: number | null
  /** The form was submitted: an empty field is an error from then on. */
  isSubmitted: boolean
  onPrice: (price: number | null) => void
}

function PriceField({ label, hint, price, isSubmitted, onPrice }: PriceProps) {
  const [isTouched, setTouched] = useState(false)
  const missing = isTouched || isSubmitted ? copy.empty : undefined
  return (
    <AmountField
      label={label}
      hint={hint}
      amount={price}
      error={price === null ? missing : price < 1 ? copy.tooSmall : undefined}
      notWhole={copy.tooSmall}
      onAmount={onPrice}
      onBlur={() => afterPress(() => setTouched(true))}
    />
  )
}

function Totals({ inputs }: { inputs: GemInputs }) {
  const { gems, coins, atm } = gemTotals(inputs)
  return (
    <section
      id={TOTALS_ID}
      tabIndex={-1}
      aria-label={copy.totals}
      className="rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5"
    >
      <h2 className="mb-3 text-xl">{copy.totals}</h2>
      <dl aria-live="polite" className="space-y-2 rounded-lg bg-sunken px-4 py-3">
        <Total label={copy.gems} value={gems} />
        <Total label={copy.coins} value={coins} />
        <Total label={copy.atm} value={atm} />
      </dl>
      <ShareLink inputs={inputs} />
    </section>
  )
}

function Total({ label, value }: { label: string; value: number | bigint | null }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-soft">{label}</dt>
      <dd className="ml-auto text-lg font-bold break-all tabular-nums">
        {value === null ? copy.unknown : formatNumber(value)}
      </dd>
    </div>
  )
}

export const page: Page = {
  Component: GemCalculatorPage,
  head: () => ({ description: copy.description }),
}

function ShareLink({ inputs }: { inputs: GemInputs }) {
  const path = sharePath(inputs)
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-base">{copy.share}</h3>
      <a
        href={path}
        className="mt-1 flex min-h-11 items-center text-sm break-all text-vermilion underline underline-offset-3"
      >
        {path}
      </a>
      <Button
        kind="plain"
        className="mt-2 w-full"
        onClick={() => void copyText(new URL(path, location.origin).href, copy)}
      >
        <Icon name="copy" />
        {copy.copyLink}
      </Button>
    </div>
  )
}

const cell = 'px-3 py-2 tabular-nums sm:px-5'
const figure = `${cell} text-right`

/** The gems for each level; the chosen levels are highlighted. */
function GemTable({ from, to }: { from: number; to: number }) {
  return (
    <table
      aria-label={copy.table}
      className="w-full max-w-xl border-collapse overflow-hidden rounded-xl border border-line bg-raised"
    >
      <thead className="bg-sunken text-sm">
        <tr>
          <th scope="col" className={`${cell} text-left`}>
            {copy.tableLevel}
          </th>
          <th scope="col" className={figure}>
            {copy.tableGems}
          </th>
          <th scope="col" className={figure}>
            {copy.tableSum}
          </th>
        </tr>
      </thead>
      <tbody>
        {GEMS_PER_LEVEL.map((gems, below) => {
          const level = below + 1
          const isChosen = below >= from && level <= to
          return (
            <tr key={level} className={`border-t border-line ${isChosen ? 'bg-wash font-bold' : ''}`}>
              <th
                scope="row"
                className={`${cell} border-l-4 text-left ${isChosen ? 'border-l-vermilion' : 'border-l-transparent font-normal'}`}
              >
                {copy.level(level)}
              </th>
              <td className={figure}>{formatNumber(gems)}</td>
              <td className={figure}>{formatNumber(gemsBetween(0, level) ?? 0)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
