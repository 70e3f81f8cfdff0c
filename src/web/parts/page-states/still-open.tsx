import { pages } from '#contract/pages.ts'
import { Link } from '#web/navigation.tsx'
import { pageStatesCopy as copy } from '#web/parts/page-states/page-states.copy.ts'

const { home, download, tournaments, gemCalculator } = pages

/** Where something does not work: the pages that are the same for everybody do. */
export function StillOpen() {
  return (
    <p>
      {copy.stillOpen}
      {[home, download, tournaments, gemCalculator].map(({ path, title }) => (
        <Link key={path} to={path} className="inline-block px-1.5 py-2.5 font-bold underline">
          {title}
        </Link>
      ))}
    </p>
  )
}
