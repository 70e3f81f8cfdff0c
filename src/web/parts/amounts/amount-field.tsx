import { useLayoutEffect, useRef, useState, type ComponentProps } from 'react'
import { Field } from '#ui/field.tsx'
import { amountText, caretAfter, countDigits, parseAmount } from '#web/parts/amounts/amount-text.ts'

const NOT_WHOLE = 'Số tiền phải là số nguyên, không có phần lẻ hay dấu trừ'

type Props = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type' | 'inputMode'> & {
  amount: number | null
  onAmount: (amount: number | null) => void
  /** The error of a text that is no whole amount. */
  notWhole?: string
}

/**
 * A whole amount that is formatted with commas while it is typed; phones show their number keys. Any other text stays
 * as it was typed, with its error, and counts as no amount.
 */
export function AmountField({ amount, onAmount, notWhole = NOT_WHOLE, error, ...field }: Props) {
  const [refused, setRefused] = useState<string | null>(null)
  const isRefused = amount === null && refused !== null
  const input = useRef<HTMLInputElement>(null)
  const digitsBeforeCaret = useRef<number | null>(null)
  const text = isRefused ? refused : amountText(amount)

  // Without this the caret would jump to the end of the newly formatted text.
  useLayoutEffect(() => {
    if (digitsBeforeCaret.current === null) return
    const caret = caretAfter(text, digitsBeforeCaret.current)
    digitsBeforeCaret.current = null
    input.current?.setSelectionRange(caret, caret)
  })

  return (
    <Field
      {...field}
      ref={input}
      value={text}
      error={isRefused ? notWhole : error}
      inputMode="numeric"
      autoComplete="off"
      onChange={({ target }) => {
        const read = parseAmount(target.value, isRefused ? '' : text)
        setRefused(read === undefined ? target.value : null)
        if (read !== undefined)
          digitsBeforeCaret.current = countDigits(target.value.slice(0, target.selectionStart ?? 0))
        onAmount(read ?? null)
      }}
    />
  )
}
