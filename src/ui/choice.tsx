import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'input'>, 'type' | 'children'> & {
  /** The label: text in a line, as a label may contain nothing else. */
  children: ReactNode
  /** What the card shows besides, such as a list. */
  more?: ReactNode
}

const CARD = 'relative isolate flex min-h-11 items-center gap-3 rounded-xl border border-transparent p-3'
/** The button itself is the frame and the ground of its card, since the card cannot know its state without `:has`. */
const FRAME =
  'absolute -inset-px -z-10 m-0 cursor-pointer appearance-none rounded-xl border border-line-strong bg-raised checked:border-vermilion checked:bg-wash checked:ring-2 checked:ring-vermilion focus-visible:rounded-xl focus-visible:outline-3 focus-visible:outline-offset-2 focus-visible:outline-vermilion disabled:cursor-not-allowed disabled:bg-sunken'

/** One of several cards of which a single one can be chosen: a radio button as large as its card. */
export function Choice({ children, more, className = '', ...input }: Props) {
  const radio = <input {...input} type="radio" className={FRAME} />
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
      {/* A tap on it is one on the button behind it. */}
      <div className="pointer-events-none contents">{more}</div>
    </div>
  )
}
