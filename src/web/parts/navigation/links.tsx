import type { ReactNode } from 'react'
import { Link } from '#web/navigation.tsx'
import { Icon, type IconName } from '#ui/icon.tsx'

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
export function BackLink({ to, className = '', children }: Props) {
  return (
    <Link to={to} className={`inline-flex min-h-11 items-center text-vermilion hover:underline ${className}`}>
      ←&nbsp;{children}
    </Link>
  )
}

type MenuLinkProps = { to: string; icon: IconName; children: string }

export const menuEntryClass =
  'flex min-h-12 w-full items-center gap-3 rounded-lg text-left leading-tight font-bold hover:text-vermilion'

export function MenuLink({ to, icon, children }: MenuLinkProps) {
  return (
    <Link to={to} className={menuEntryClass}>
      <Icon name={icon} className="size-5 text-soft" />
      {children}
    </Link>
  )
}
