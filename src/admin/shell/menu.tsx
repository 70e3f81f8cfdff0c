import { type RefObject, useEffect, useRef, useState } from 'react'
import { NavLink } from 'react-router'
import { drawings, ScreenDrawing } from '#admin/kit/drawings.tsx'
import { groups, type Screen } from '#admin/screens.ts'
import { useWaiting } from '#admin/session/waiting.ts'
import { formatNumber } from '#contract/format.ts'
import { type AlarmName, WAITING_COUNT_MAX } from '#contract/operator/alarms.ts'
import { Boundary, PART_FAILED } from '#ui/failure.tsx'
import { Drawing } from '#ui/icon.tsx'
import { consoleCopy } from './console.copy.ts'

type GroupName = keyof typeof groups

type Props = {
  screens: readonly Screen[]
  pathname: string
  /** A link of it is about to be followed. */
  onLeave: () => void
}

/** The screens in their groups, which fold. */
export function Menu({ screens, pathname, onLeave }: Props) {
  const menu = useRef<HTMLElement>(null)
  const current = groupOf(screens, pathname)
  const { isOpen, toggle } = useFolding(current)
  useEntryInSight(menu, pathname)
  return (
    <nav
      id="menu"
      ref={menu}
      aria-label={consoleCopy.menu}
      className="console-menu"
      onClickCapture={({ target }) => {
        if (target instanceof Element && target.closest('a')) onLeave()
      }}
    >
      {(Object.keys(groups) as GroupName[]).map((group) => (
        <Boundary key={group} of={pathname} failed={PART_FAILED}>
          <Group
            group={group}
            screens={screens.filter((screen) => screen.group === group)}
            isOpen={isOpen(group)}
            onToggle={() => toggle(group)}
          />
        </Boundary>
      ))}
    </nav>
  )
}

/** In which group the open screen is, or the list that it was reached from. */
const groupOf = (screens: readonly Screen[], pathname: string): GroupName | undefined =>
  screens.find(
    ({ group, path }) => group !== undefined && (pathname === path || pathname.startsWith(`${path}/`)),
  )?.group

const STORED = 'console-menu'

/** What the operator opened or folded; the rest is folded but for the daily work and the group of the open screen. */
function useFolding(current: GroupName | undefined) {
  const [chosen, setChosen] = useState(readChosen)
  const [entered, setEntered] = useState(current)
  const keep = (next: Chosen) => {
    setChosen(next)
    localStorage.setItem(STORED, JSON.stringify(next))
  }
  if (current !== entered) {
    setEntered(current)
    // Folded earlier, but here is where the operator is now.
    if (current && chosen[current] === false) setChosen({ ...chosen, [current]: true })
  }
  const isOpen = (group: GroupName) => chosen[group] ?? (group === 'work' || group === current)
  return { isOpen, toggle: (group: GroupName) => keep({ ...chosen, [group]: !isOpen(group) }) }
}

type Chosen = Partial<Record<GroupName, boolean>>

function readChosen(): Chosen {
  try {
    return (JSON.parse(localStorage.getItem(STORED) ?? '{}') ?? {}) as Chosen
  } catch {
    return {}
  }
}

/** The menu may be longer than a low window is high: the entry of the screen is in sight. */
function useEntryInSight(menu: RefObject<HTMLElement | null>, pathname: string) {
  const shown = useRef<string>(null)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    menu.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [menu, pathname])
}

type GroupProps = { group: GroupName; screens: readonly Screen[]; isOpen: boolean; onToggle: () => void }

function Group({ group, screens, isOpen, onToggle }: GroupProps) {
  if (screens.length === 0) return null
  const listId = `menu-${group}`
  return (
    <section aria-label={groups[group]}>
      <h2>
        <button type="button" aria-expanded={isOpen} aria-controls={listId} onClick={onToggle}>
          <Drawing path={drawings.chevron} className="turning size-4" />
          {groups[group]}
          {!isOpen && <WaitingCount names={screens.flatMap(({ waits = [] }) => waits)} />}
        </button>
      </h2>
      <ul id={listId} hidden={!isOpen}>
        {screens.map(({ path, title, icon, waits }) => (
          <li key={path}>
            <NavLink to={path} end={path === '/'}>
              {icon && <ScreenDrawing name={icon} className="size-4.5 shrink-0" />}
              {title}
              {waits && <WaitingCount names={waits} />}
            </NavLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How much waits behind an entry of the menu, so far as it is counted. */
function WaitingCount({ names }: { names: readonly AlarmName[] }) {
  const waiting = useWaiting()
  const count = names.reduce((sum, name) => sum + (waiting[name]?.count ?? 0), 0)
  if (count === 0) return null
  const text = count >= WAITING_COUNT_MAX ? `${WAITING_COUNT_MAX - 1}+` : formatNumber(count)
  return (
    <span className="ml-auto rounded-full bg-fill px-2 text-sm text-on-fill tabular-nums">
      <span aria-hidden="true">{text}</span>
      <span className="sr-only">, {consoleCopy.waiting(text)}</span>
    </span>
  )
}
