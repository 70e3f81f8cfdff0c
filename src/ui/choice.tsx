import { useId, type ComponentProps, type ReactNode } from 'react'
import { useFilledBefore } from './filled-before.ts'

type Props = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  /** The label: text in a line, as a label may contain nothing else. */
  children: ReactNode
  /** What the card shows besides, such as a list. */
  more?: ReactNode
}

const CARD = 'relative isolate flex min-h-11 items-center gap-3 rounded-xl border border-transparent p-3'
/** Border and ground of a card, beside its button, whose state the card itself could only know by `:has`. */
const FRAME =
  'choice-frame absolute -inset-px -z-10 rounded-xl border border-line-strong bg-raised peer-checked:border-vermilion peer-checked:bg-wash peer-checked:ring-2 peer-checked:ring-vermilion peer-focus-visible:outline-3 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-vermilion peer-disabled:bg-sunken'

/** One of several cards of which a single one can be chosen: a radio button as large as its card. */
export function Choice({ children, more, className = '', ...input }: Props) {
  const id = useId()
  useFilledBefore<HTMLInputElement>(id, input)
  const radio = (
    <>
      <input
        {...input}
        id={id}
        type="radio"
        className="peer absolute inset-0 m-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
      />
      <span className={FRAME} />
    </>
  )
  const card = `${CARD} ${input.disabled ? 'text-soft' : ''} ${className}`
  if (!more) {
    return (
      <label className={card}>
        {radio}
        {children}
      </label>
    )
  }
  return (
    <div className={card}>
      <label className="contents">
        {radio}
        {children}
      </label>
      {more}
    </div>
  )
}
