import type { ComponentType, ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { WAIT } from '#ui/waiting.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { lazyComponent } from '#web/load-chunk.tsx'
import { outcomeCopy } from '#web/parts/outcomes/announce.ts'

const RELOAD = 'Tải lại trang'

type Options<P> = {
  /** About the height of what comes, in rem: then the dialog does not move. */
  height: number
  renderFailed?: (props: P) => ReactNode
}

/** What is in a dialog and is fetched when that opens: the dialog itself answers the tap, and can be closed, whatever comes of the rest. */
export const lazyContent = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  { height, renderFailed }: Options<P>,
) =>
  lazyComponent<P>(load, {
    waiting: (
      <div role="status">
        <span className="sr-only">{WAIT}</span>
        <div style={{ height: `${height}rem` }}>
          <Skeleton className="h-full max-h-[60dvh] w-full" />
        </div>
      </div>
    ),
    renderFailed: renderFailed ?? ((_props, retry) => <NotOpened onRetry={retry} />),
    onArrived: focusFirst,
  })

/** As `Dialog` does it for content that is there when it opens. */
function focusFirst(): void {
  Array.from(document.querySelectorAll<HTMLElement>('dialog[open] [data-autofocus]')).at(-1)?.focus()
}

/** Its files may be of a release that is gone: then a new document has others. */
function NotOpened({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert" className="space-y-4 text-center">
      <p className="font-bold text-balance">{outcomeCopy.notOpened}</p>
      <div className="flex flex-wrap justify-center gap-3">
        <Button autoFocus onClick={onRetry}>
          {outcomeCopy.retry}
        </Button>
        <Button kind="plain" onClick={() => location.reload()}>
          {RELOAD}
        </Button>
      </div>
    </div>
  )
}
