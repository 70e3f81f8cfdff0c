import { type ReactNode, useEffect } from 'react'
import { useMatches } from 'react-router'
import { Boundary, PART_FAILED } from '#ui/failure.tsx'

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

/** Names the tab after what it shows. */
export function useDocumentTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} — Vận hành`
  }, [title])
}
