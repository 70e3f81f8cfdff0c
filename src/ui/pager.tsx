import { Button } from './button.tsx'

type Props = { page: number; lastPage: number; isBusy?: boolean; onTurn: (page: number) => void }

/** Turns the pages of a list; nothing to see when there is but one. */
export function Pager({ page, lastPage, isBusy = false, onTurn }: Props) {
  if (lastPage <= 1 && page <= 1) return null
  return (
    <nav aria-label="Phân trang" className="mt-4 flex items-center justify-between gap-2">
      <Button
        kind="plain"
        className="max-sm:px-3"
        disabled={page <= 1}
        isBusy={isBusy}
        onClick={() => onTurn(page - 1)}
      >
        Trang trước
      </Button>
      <span className="text-sm whitespace-nowrap text-soft" aria-live="polite">
        Trang {page}/{Math.max(lastPage, 1)}
      </span>
      <Button
        kind="plain"
        className="max-sm:px-3"
        disabled={page >= lastPage}
        isBusy={isBusy}
        onClick={() => onTurn(page + 1)}
      >
        Trang sau
      </Button>
    </nav>
  )
}
