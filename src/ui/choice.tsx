import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  /** The label: text in a line, as a label may contain nothing else. */
  children: ReactNode
  /** What the card shows besides, such as a list. */
  more?: ReactNode
}

const CARD =
  'relative flex min-h-11 items-center gap-3 rounded-xl border border-line-strong bg-raised p-3 has-checked:border-vermilion has-checked:bg-wash has-checked:ring-2 has-checked:ring-vermilion has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-vermilion has-disabled:bg-sunken has-disabled:text-soft'

/** One of several cards of which a single one can be chosen: a radio button as large as its card. */
export function Choice({ children, more, className = '', ...input }: Props) {
  const radio = (
    <input
      {...input}
      type="radio"
      className="absolute inset-0 m-0 size-full cursor-pointer opacity-0 disabled:cursor-not-allowed"
    />
  )
  const card = `${CARD} ${className}`
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
