import { GoodsList } from '#admin/kit/goods-field.tsx'
import { useState } from 'react'
import { useBudgets } from '#admin/kit/campaign-form.tsx'
import { ChoiceField } from '#admin/kit/fields.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { formatNumber } from '#contract/format.ts'
import { parseJson } from '#contract/operator/fields.ts'
import type { OperatorSetting } from '#contract/operator/setting-calls.ts'
import { calendarAsTyped, calendarIn, readCalendar } from '#contract/operator/rewards/goods.ts'
import { Field, SelectField, TextArea } from '#ui/field.tsx'
import { FileFactsInput } from './file-facts.tsx'
import { settingsCopy } from './settings.copy.ts'

type Props = {
  setting: OperatorSetting
  text: string
  error: string | undefined
  onText: (text: string) => void
}

/** A setting's value in the control of its kind. */
export function ValueInput(props: Props) {
  const { setting, text, error, onText } = props
  const { kind, label, description } = setting
  if (kind === 'bank-account') return <AccountInput {...props} />
  if (kind === 'file') return <FileFactsInput {...props} />
  if (kind === 'amounts') return <AmountsInput {...props} />
  if (kind === 'on-off') return <OnOff {...props} />
  if (kind === 'calendar') return <CalendarInput {...props} />
  const hint = [description, limitsText(setting)].filter(Boolean).join(' ')
  const shared = { label, hint, error, value: text, placeholder: '' }
  if (kind === 'choice') return <ChoiceInput {...props} />
  if (setting.id === 'invitation_budget') return <BudgetInput {...props} />
  if (kind === 'paragraph' || kind === 'hosts')
    return <TextArea {...shared} rows={4} onChange={({ target }) => onText(target.value)} />
  return (
    <Field
      {...shared}
      inputMode={kind === 'number' || kind === 'digits' ? 'numeric' : kind === 'link' ? 'url' : undefined}
      onChange={({ target }) => onText(target.value)}
    />
  )
}

function limitsText({ kind, limits }: OperatorSetting): string {
  if (limits === null || kind === 'digits') return ''
  return kind === 'number'
    ? settingsCopy.between(formatNumber(limits.min), formatNumber(limits.max))
    : settingsCopy.atMost(formatNumber(limits.max))
}

function ChoiceInput({ setting: { label, description, options }, text, error, onText }: Props) {
  return (
    <ChoiceField
      label={label}
      hint={description}
      error={error}
      value={text}
      onChange={({ target }) => onText(target.value)}
      options={options}
    />
  )
}

/** A budget by its name; the setting holds its number. */
function BudgetInput({ setting: { label, description }, text, error, onText }: Props) {
  const budgets = useBudgets() ?? []
  return (
    <ChoiceField
      label={label}
      hint={description}
      error={error}
      value={text}
      onChange={({ target }) => onText(target.value)}
      options={[
        { value: '0', label: kitCopy.campaign.chooseBudget },
        ...budgets.map(({ id, title, balance }) => ({
          value: id,
          label: kitCopy.campaign.budgetOption(title, formatNumber(balance)),
        })),
      ]}
    />
  )
}

function OnOff({ setting: { label, description }, text, onText }: Props) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-bold">{label}</legend>
      <label className="flex min-h-11 items-center gap-2">
        <input
          type="checkbox"
          className="size-5"
          checked={text === '1'}
          onChange={({ target }) => onText(target.checked ? '1' : '0')}
        />
        {settingsCopy.isOn}
      </label>
      <p className="text-sm text-soft">{description}</p>
    </fieldset>
  )
}

const readAmounts = (text: string): string => {
  const amounts = parseJson(text)
  return Array.isArray(amounts) ? amounts.join(' ') : text
}

/** Several whole numbers in one line; the typed text is not reformatted. */
function AmountsInput({ setting: { label, description }, text, error, onText }: Props) {
  const [typed, setTyped] = useState(() => readAmounts(text))
  return (
    <Field
      label={label}
      hint={`${description} ${settingsCopy.amountsHint}`}
      error={error}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value)
        onText(JSON.stringify(target.value.split(/\D+/).filter(Boolean).map(Number)))
      }}
    />
  )
}

/** What is typed and is no calendar goes on as it is, so that the rule of the setting refuses it. */
const storedCalendar = (typed: string): string => {
  const calendar = calendarIn(typed)
  return calendar === null ? typed.trim() : JSON.stringify(calendar)
}

/** The goods of each day of a month, days that are alike on one line; the typed text is not reformatted. */
function CalendarInput({ setting: { label, description }, text, error, onText }: Props) {
  const [typed, setTyped] = useState(() => calendarAsTyped(readCalendar(text) ?? []))
  return (
    <div className="space-y-3">
      <TextArea
        label={label}
        hint={`${description} ${settingsCopy.calendarHint}`}
        error={error}
        rows={12}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          onText(storedCalendar(target.value))
        }}
      />
      <GoodsList />
    </div>
  )
}

const ACCOUNT_PARTS = ['bin', 'number', 'name', 'reference', 'phone_tail'] as const

/** A receiving account, each part in a field of its own; without any of them the value is empty. */
function AccountInput({ setting: { label, description, options }, text, error, onText }: Props) {
  const stored = (parseJson(text) ?? {}) as Record<string, unknown>
  const set = (changed: string, typed: string) => {
    const filled = ACCOUNT_PARTS.flatMap((name) => {
      const value = name === changed ? typed.trim() : String(stored[name] ?? '')
      return value === '' ? [] : [[name, value] as const]
    })
    onText(filled.length === 0 ? '' : JSON.stringify(Object.fromEntries(filled)))
  }
  return (
    <fieldset>
      <legend className="text-sm font-bold">{label}</legend>
      <p className="mb-2 text-sm text-soft">{description}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        {ACCOUNT_PARTS.map((name) => {
          const part = { value: String(stored[name] ?? ''), isWrong: error !== undefined }
          if (name === 'bin')
            return (
              <BankField
                key={name}
                options={options}
                bin={part.value}
                isWrong={part.isWrong}
                onBin={(bin) => set(name, bin)}
              />
            )
          return <PartField key={name} {...part} name={name} onValue={(value) => set(name, value)} />
        })}
      </div>
      {error && (
        <p role="alert" className="mt-1 text-sm text-vermilion">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type PartFieldProps = {
  name: string
  value: string
  isWrong: boolean
  onValue: (value: string) => void
}

/** Shows blanks at the end while somebody types; the value leaves them out. */
function PartField({ name, value, isWrong, onValue }: PartFieldProps) {
  const [typed, setTyped] = useState(value)
  const shown = typed.trim() === value ? typed : value
  return (
    <Field
      label={kitCopy.setting.parts[name] ?? name}
      hint={settingsCopy.accountHints[name]}
      placeholder=""
      inputMode={name === 'phone_tail' ? 'numeric' : undefined}
      aria-invalid={isWrong || undefined}
      value={shown}
      onChange={({ target }) => {
        setTyped(target.value)
        onValue(target.value)
      }}
    />
  )
}

const copy = settingsCopy.bank

type BankFieldProps = {
  options: OperatorSetting['options']
  bin: string
  isWrong: boolean
  onBin: (bin: string) => void
}

/** The bank of a receiving account, of those that the channel's money may arrive at. */
function BankField({ options, bin, isWrong, onBin }: BankFieldProps) {
  const isOffered = bin === '' || options.some(({ value }) => value === bin)
  return (
    <SelectField
      aria-invalid={isWrong || undefined}
      label={copy.label}
      hint={copy.hint}
      value={bin}
      onChange={({ target }) => onBin(target.value)}
    >
      <option value="">{copy.none}</option>
      {!isOffered && <option value={bin}>{copy.refused(bin)}</option>}
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}
