import type { ReactNode } from 'react'
import { Link } from '#web/navigation.tsx'

type Props = { to: string; className?: string; children: ReactNode }

/** A link in a line of its own, as high as a button. */
export function TextLink({ to, className = '', children }: Props) {
  return (
    <Link
      to={to}
      className={`inline-flex min-h-11 min-w-11 items-center font-bold text-balance text-vermilion hover:underline ${className}`}
    >
      {children}
    </Link>
  )
}

/** Above the title of a page, to the one it belongs to. */
export function BackLink({ to, children }: Omit<Props, 'className'>) {
  return (
    <Link to={to} className="inline-flex min-h-11 items-center text-vermilion hover:underline">
      ← {children}
    </Link>
  )
}
