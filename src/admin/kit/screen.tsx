import { type ReactNode, useEffect, useId, useState } from 'react'
import { useMatches } from 'react-router'
import { Boundary, PART_FAILED } from '#ui/failure.tsx'
import { Drawing } from '#ui/icon.tsx'
import { drawings } from './drawings.tsx'

type Props = { title: string; acts?: ReactNode; children: ReactNode }

/** The title of the open screen, as `screens.ts` and the router have it. */
export const useScreenTitle = () => String(useMatches().at(-1)?.handle)

/** A screen under its own title or another heading, with what can be done beside it. */
export function ScreenFrame({ title, acts, children }: Omit<Props, 'title'> & { title?: string }) {
  const ownTitle = useScreenTitle()
  return (
    <div className="space-y-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-2xl">{title ?? ownTitle}</h1>
        {acts && <div className="flex flex-wrap gap-2">{acts}</div>}
      </div>
      {children}
    </div>
  )
}

/** A part of a screen with a heading of its own, in which its failure stays. */
export function Panel({ title, acts, children }: Props) {
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-raised p-3 sm:p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg">{title}</h2>
        {acts}
      </div>
      <Boundary failed={PART_FAILED}>{children}</Boundary>
    </section>
  )
}

/** A panel above a list, which a narrow window shows folded: the list is what the screen is for. */
export function FoldedPanel({ title, children }: Omit<Props, 'acts'>) {
  const contentId = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label={title} className="rounded-xl border border-line bg-raised lg:p-4">
      <h2 className="mb-3 text-lg max-lg:hidden">{title}</h2>
      <h2 className="lg:hidden">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={contentId}
          className="flex min-h-11 w-full items-center justify-between gap-3 px-3 text-left"
          onClick={() => setOpen(!isOpen)}
        >
          {title}
          <Drawing path={drawings.chevron} className="turning size-5" />
        </button>
      </h2>
      <div id={contentId} className={isOpen ? 'max-lg:px-3 max-lg:pb-3' : 'max-lg:hidden'}>
        <Boundary failed={PART_FAILED}>{children}</Boundary>
      </div>
    </section>
  )
}

/** Names the tab after what it shows. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} — Vận hành`
  }, [title])
}
