import { Button } from './button.tsx'

const copy = {
  pages: 'Phân trang',
  previousPage: 'Trang trước',
  nextPage: 'Trang sau',
  pageOf: (page: number, last: number) => `Trang ${page}/${last}`,
} as const

type Props = { page: number; lastPage: number; isBusy?: boolean; onTurn: (page: number) => void }

/** Turns the pages of a list; shows nothing for a single page. */
export function Pager({ page, lastPage, isBusy = false, onTurn }: Props) {
  if (lastPage <= 1 && page <= 1) return null
  return (
    <nav aria-label={copy.pages} className="mt-4 flex flex-wrap items-center justify-between gap-2">
      <Button
        kind="plain"
        className="max-sm:px-3"
        disabled={page <= 1}
        isBusy={isBusy}
        onClick={() => onTurn(page - 1)}
      >
        {copy.previousPage}
      </Button>
      <span className="text-sm whitespace-nowrap text-soft" aria-live="polite">
        {copy.pageOf(page, Math.max(lastPage, 1))}
      </span>
      <Button
        kind="plain"
        className="max-sm:px-3"
        disabled={page >= lastPage}
        isBusy={isBusy}
        onClick={() => onTurn(page + 1)}
      >
        {copy.nextPage}
      </Button>
    </nav>
  )
}
