import type { FormEvent, FocusEvent } from 'react'
import { useQuery } from '#web/use-query.ts'
import { pages, paths, POST_SEARCH_MAX, postSearch } from '#contract/pages.ts'
import { fieldBox, buttonClass } from '#ui/button.tsx'
import { Drawing } from '#ui/icon.tsx'
import { NavLink, useNavigate } from '#web/navigation.tsx'
import { categoriesQuery } from '#web/features/posts/posts.api.ts'
import { postsCopy as copy } from '#web/features/posts/posts.copy.ts'

const LENS = 'M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM15.8 15.8l4.7 4.7'

/** Above each list of posts: its search, and the categories. Links and a plain form, so that both work without scripts. */
export function NewsFilter({ words = '' }: { words?: string }) {
  const { data: categories = [] } = useQuery(categoriesQuery)
  return (
    <div className="mb-5 flex flex-col gap-2 lg:flex-row-reverse lg:items-center lg:justify-between lg:gap-6">
      <SearchForm words={words} />
      <nav aria-label={copy.categories} className="news-chips">
        <NavLink to={paths.home} className="news-chip" onFocus={scrollIntoRow}>
          {copy.all}
        </NavLink>
        {categories.map(({ id, title }) => (
          <NavLink key={id} to={paths.category(id)} className="news-chip" onFocus={scrollIntoRow}>
            {title}
          </NavLink>
        ))}
      </nav>
    </div>
  )
}

function SearchForm({ words }: { words: string }) {
  const navigate = useNavigate()

  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = postSearch(String(new FormData(event.currentTarget).get('q') ?? ''))
    void navigate(paths.search(typed === '' ? undefined : encodeURIComponent(typed)))
  }

  return (
    // For browsers without scripts the server redirects the form to the address of the search.
    <form role="search" action={paths.search()} method="get" className="relative lg:w-72" onSubmit={search}>
      <input
        key={words}
        type="search"
        name="q"
        defaultValue={words}
        maxLength={POST_SEARCH_MAX}
        aria-label={pages.search.title}
        placeholder={copy.searchPlaceholder}
        enterKeyHint="search"
        className={`${fieldBox} border-line-strong pr-12`}
      />
      <button type="submit" className={buttonClass('text', 'absolute inset-y-0 right-0 px-3')}>
        <Drawing path={LENS} />
        <span className="sr-only">{copy.search}</span>
      </button>
    </form>
  )
}

/** Scrolls an element focused by the Tab key fully into view: browsers leave it half hidden in a row that scrolls. */
export const scrollIntoRow = ({ target }: FocusEvent): void =>
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
