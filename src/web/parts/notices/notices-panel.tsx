import { useQuery } from '#web/use-query.ts'
import { paths } from '#contract/pages.ts'
import { buttonClass } from '#ui/button.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { Link } from '#web/navigation.tsx'
import { NoticeList, ReadAllButton } from '#web/parts/notices/notice-list.tsx'
import { noticesCopy as copy } from '#web/parts/notices/notices.copy.ts'
import { Loaded } from '#web/parts/fallbacks/fallbacks.tsx'
import { noticesQuery } from '#web/parts/notices/notices.api.ts'

/** The latest notices, in the bell's dialog. */
export function NoticesPanel({ onClose }: { onClose: () => void }) {
  const query = useQuery(noticesQuery())
  const newest = query.data?.data[0]
  return (
    <>
      <Loaded query={query} skeleton={<Skeleton className="h-64 w-full" />}>
        {({ data }) =>
          data.length === 0 ? (
            <PageState title={copy.none} text={copy.noneText} />
          ) : (
            <NoticeList notices={data} className="-mx-5 -mt-5" onFollow={onClose} />
          )
        }
      </Loaded>
      <div className="modal-acts">
        {newest && <ReadAllButton newest={newest.id} unread={query.data?.payload.unread ?? 0} />}
        <Link to={paths.notices} className={buttonClass()} onClick={onClose}>
          {copy.all}
        </Link>
      </div>
    </>
  )
}
