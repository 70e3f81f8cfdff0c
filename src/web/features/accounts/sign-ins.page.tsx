import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import type { listSignIns } from '#contract/accounts/auth.ts'
import type { AnswerOf } from '#contract/endpoint.ts'
import { Badge } from '#ui/badge.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { AccountNav } from '#web/parts/navigation/account-nav.tsx'
import { formatMoment } from '#contract/format.ts'
import { PagedList, usePageInAddress } from '#web/parts/lists/paged-list.tsx'
import { ownQuery } from '#web/query-client.ts'

const copy = {
  lead: 'Các lần đăng nhập trong 90 ngày qua, gồm cả những lần không thành công.',
  toProfile: 'Về hồ sơ',
  none: 'Chưa có lần đăng nhập nào',
  newDevice: 'Thiết bị mới',
  outcomes: {
    succeeded: 'Thành công',
    'wrong-password': 'Sai mật khẩu',
    'wrong-second-factor': 'Sai mã hai lớp',
  },
} as const

const ROWS_PER_PAGE = 20

/** Who signed in to the account, from where, and who tried. */
function SignInsPage() {
  const { page, turn } = usePageInAddress()
  const query = useQuery({
    ...ownQuery<typeof listSignIns>('/auth/sign-ins', { query: { page, items_per_page: ROWS_PER_PAGE } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  })
  return (
    <div className="shell-width pt-6">
      <AccountNav />
      <h1 className="brush-title text-3xl">{pages.signIns.title}</h1>
      <p className="mt-3 max-w-text text-soft">{copy.lead}</p>
      <TextLink to={paths.profile} className="mb-2">
        ←&nbsp;{copy.toProfile}
      </TextLink>
      {/* The footer is out of sight until the list is there. */}
      <div className="min-h-[75dvh]">
        <PagedList
          query={query}
          page={page}
          onTurn={turn}
          skeleton={<Skeleton className="h-[75dvh] w-full" />}
          empty={<PageState picture="empty" title={copy.none} />}
        >
          {(signIns) => (
            <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
              {signIns.map((row) => (
                <SignIn key={row.id} row={row} />
              ))}
            </ul>
          )}
        </PagedList>
      </div>
    </div>
  )
}

function SignIn({ row }: { row: AnswerOf<typeof listSignIns>['data'][number] }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-3">
      <div className="min-w-0">
        <p className="font-bold">{row.device}</p>
        <p className="text-sm text-soft">
          {formatMoment(row.at)} · {row.place}
        </p>
      </div>
      <p className="flex flex-wrap gap-2">
        {row.is_new_device && <Badge tone="note">{copy.newDevice}</Badge>}
        <Badge tone={row.outcome === 'succeeded' ? 'success' : 'danger'}>{copy.outcomes[row.outcome]}</Badge>
      </p>
    </li>
  )
}

export const page: Page = {
  Component: SignInsPage,
}
