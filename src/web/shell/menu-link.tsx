import { Icon, type IconName } from '#ui/icon.tsx'
import { Link } from '#web/navigation.tsx'

type Props = { to: string; icon: IconName; children: string }

export const menuEntryClass =
  'flex min-h-12 w-full items-center gap-3 rounded-lg text-left leading-tight font-bold hover:text-vermilion'

export function MenuLink({ to, icon, children }: Props) {
  return (
    <Link to={to} className={menuEntryClass}>
      <Icon name={icon} className="size-5 text-soft" />
      {children}
    </Link>
  )
}
