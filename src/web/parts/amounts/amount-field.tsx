import { useLayoutEffect, useRef, type ComponentProps } from 'react'
import { Field } from '#ui/field.tsx'
import { amountText, caretAfter, countDigits, parseAmount } from '#web/parts/amounts/amount-text.ts'

type Props = Omit<ComponentProps<typeof Field>, 'value' | 'onChange' | 'type' | 'inputMode'> & {
  amount: number | null
  onAmount: (amount: number | null) => void
}

/** A whole amount with commas that come while it is typed; phones show their number keys. */
export function AmountField({ amount, onAmount, ...field }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const digitsBeforeCaret = useRef<number | null>(null)
  const text = amountText(amount)

  // Written anew with commas, the text would throw the caret to its end.
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
      inputMode="numeric"
      autoComplete="off"
      onChange={({ target }) => {
        digitsBeforeCaret.current = countDigits(target.value.slice(0, target.selectionStart ?? 0))
        onAmount(parseAmount(target.value))
      }}
    />
  )
}
