import type { ComponentProps } from 'react'

type ButtonKind = 'main' | 'plain' | 'text' | 'night'

const base =
  'inline-flex min-h-11 items-center justify-center gap-2 rounded-lg px-4 py-2 text-center text-[0.9375rem] whitespace-nowrap font-bold no-underline transition-colors select-none disabled:cursor-not-allowed aria-disabled:cursor-not-allowed'

const kinds: Record<ButtonKind, string> = {
  main: 'bg-fill text-on-fill hover:bg-fill-strong disabled:bg-sunken disabled:text-soft',
  plain: 'border border-line-strong bg-raised text-ink hover:bg-sunken disabled:text-soft',
  text: 'text-vermilion hover:bg-wash disabled:text-soft',
  night: 'border border-on-night-soft/60 bg-night/40 text-on-night hover:bg-night/70',
}

/** The classes of a button, for links that act as one. */
export function buttonClass(kind: ButtonKind = 'main', more = ''): string {
  return `${base} ${kinds[kind]} ${more}`
}

type Props = ComponentProps<'button'> & { kind?: ButtonKind; isBusy?: boolean }

/** A busy button keeps its width and its focus, is marked as busy, and does not act again. */
export function Button({ kind = 'main', isBusy = false, className, children, onClick, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, className)}
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
    >
      {isBusy && <Spinner />}
      {children}
    </button>
  )
}

function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 shrink-0 animate-spin rounded-full border-2 border-current border-r-transparent"
    />
  )
}

/** The classes of an input's box, for inputs that are no `Field`. */
export const fieldBox =
  'block min-h-11 w-full rounded-lg border bg-paper px-3 py-2 text-base text-ink placeholder:text-soft disabled:bg-sunken disabled:text-soft'
