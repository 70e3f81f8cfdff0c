import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'

export type Tab = { id: string; label: string }

type Props = {
  label: string
  tabs: readonly Tab[]
  chosenId: string
  onChoose: (id: string) => void
  children: ReactNode
}

/** Tabs over one panel. One of them is reachable by the Tab key; arrows, Home and End move between them. */
export function Tabs({ label, tabs, chosenId, onChoose, children }: Props) {
  const baseId = useId()
  const buttons = useRef(new Map<string, HTMLButtonElement>())
  const tabId = (id: string) => `${baseId}-tab-${id}`
  const panelId = `${baseId}-panel`

  // The chosen one may lie beyond the edge of a narrow screen; the page itself stays where it is scrolled to.
  useEffect(() => {
    const button = buttons.current.get(chosenId)
    const list = button?.parentElement
    if (!button || !list) return
    const [tab, visible] = [button.getBoundingClientRect(), list.getBoundingClientRect()]
    if (tab.left < visible.left || tab.right > visible.right)
      list.scrollLeft += tab.left - visible.left - (visible.width - tab.width) / 2
  }, [chosenId])

  // From the focused tab: the chosen one may change a moment later.
  function move(event: KeyboardEvent, from: number) {
    const next = tabs[nextIndex(event.key, { count: tabs.length, from })]
    if (!next) return
    event.preventDefault()
    onChoose(next.id)
    buttons.current.get(next.id)?.focus()
  }

  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        className="-mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 sm:mx-0 sm:px-0"
      >
        {tabs.map(({ id, label }, index) => (
          <button
            key={id}
            ref={(button) => {
              if (button) buttons.current.set(id, button)
              else buttons.current.delete(id)
            }}
            type="button"
            role="tab"
            id={tabId(id)}
            aria-selected={id === chosenId}
            aria-controls={panelId}
            tabIndex={id === chosenId ? 0 : -1}
            className="min-h-11 shrink-0 border-b-4 border-transparent px-2 font-bold whitespace-nowrap text-soft sm:px-3 hover:text-ink focus-visible:-outline-offset-3 aria-selected:border-vermilion aria-selected:text-ink"
            onClick={() => onChoose(id)}
            onKeyDown={(event) => move(event, index)}
          >
            {label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={panelId} aria-labelledby={tabId(chosenId)} tabIndex={0} className="pt-5">
        {children}
      </div>
    </>
  )
}

/** The tab a key moves to; an index out of range for other keys. */
function nextIndex(key: string, { count, from }: { count: number; from: number }): number {
  if (key === 'ArrowRight') return (from + 1) % count
  if (key === 'ArrowLeft') return (from - 1 + count) % count
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : -1
}
