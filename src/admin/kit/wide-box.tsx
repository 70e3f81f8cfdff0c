import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { kitCopy } from './kit.copy.ts'

const copy = kitCopy.list

/** How many columns a table has that lie beyond each edge of its box. */
type Beyond = { left: number; right: number }

/** What is wider than its column: it is scrolled sideways, also by keys, and says how many columns lie beyond its right edge. */
export function WideBox({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [{ left, right }, setBeyond] = useState<Beyond>({ left: 0, right: 0 })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const next = beyondOf(element)
      setBeyond((last) => (last.left === next.left && last.right === next.right ? last : next))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    element.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [])
  const isWide = left + right > 0
  return (
    <div className="relative">
      {right > 0 && (
        <div className="flex justify-end">
          <Button kind="text" onClick={() => box.current?.scrollBy({ left: box.current.clientWidth / 2 })}>
            {copy.beyond(right)} <span aria-hidden="true">→</span>
          </Button>
        </div>
      )}
      <div
        ref={box}
        className="wide-box"
        data-beyond-left={left > 0 || undefined}
        data-beyond-right={right > 0 || undefined}
        {...(isWide && { tabIndex: 0, role: 'group', 'aria-label': label })}
      >
        {children}
      </div>
    </div>
  )
}

function beyondOf(box: HTMLElement): Beyond {
  if (box.scrollWidth - box.clientWidth <= 1) return { left: 0, right: 0 }
  const edge = box.getBoundingClientRect()
  const heads = [...box.querySelectorAll('thead th')].map((head) => head.getBoundingClientRect())
  // The acts stay at the right edge, above what is scrolled under them.
  const acts = box.querySelector('thead th[data-part=acts]')?.getBoundingClientRect()
  const right = acts ? acts.left : edge.right
  return {
    left: heads.filter((head) => head.left < edge.left - 1).length,
    right: heads.filter((head) => head.right > right + 1 && head.right !== acts?.right).length,
  }
}
