import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Link, useSearchParams } from '#web/navigation.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ClaimForm } from '#web/features/recharge/claim-form.tsx'
import { ClaimList } from '#web/features/recharge/claim-list.tsx'
import { claimsQuery } from '#web/features/recharge/claim.api.ts'
import { claimCopy as copy } from '#web/features/recharge/claim.copy.ts'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { BackLink } from '#web/parts/navigation/text-links.tsx'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'

function ClaimPage() {
  return (
    <div className="shell-width pt-6">
      <BackLink to={paths.recharge}>{copy.back}</BackLink>
      <h1 className="brush-title text-2xl sm:text-3xl">{pages.claim.title}</h1>
      <p className="mt-3 mb-6 max-w-text text-soft">{copy.lead}</p>
      <div className="grid items-start gap-x-10 gap-y-10 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
        <ClaimOrReceipt />
        <ClaimList />
      </div>
    </div>
  )
}

function ClaimOrReceipt() {
  const [search, setSearch] = useSearchParams()
  const code = search.get('order')
  const [sentId, setSentId] = useState<string | null>(null)
  // Without the order the form starts empty.
  const { data: order, isPending } = useQuery({ ...orderQuery(code ?? ''), enabled: code !== null })

  function another() {
    setSentId(null)
    setSearch({}, { replace: true })
  }

  if (sentId !== null) return <Receipt id={sentId} onAnother={another} />
  if (code !== null && isPending) return <Skeleton className="h-[36rem] w-full" />
  return <ClaimForm order={order} onSent={setSentId} />
}

/** Confirms that the claim was received: its number, and what happens next. */
function Receipt({ id, onAnother }: { id: string; onAnother: () => void }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <div className="rounded-xl border-l-4 border-leaf bg-leaf-wash p-4 sm:p-5">
      <div className="flex items-start gap-3">
        <Icon name="check" className="mt-0.5 size-6" />
        <div className="min-w-0">
          <h2 ref={title} tabIndex={-1} className="text-lg">
            {copy.sentTitle(id)}
          </h2>
          <p className="text-[0.9375rem]">{copy.sentText}</p>
        </div>
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        <Link to={paths.recharge} className={buttonClass('plain', 'max-sm:flex-1')}>
          {copy.back}
        </Link>
        <Button kind="quiet" className="max-sm:flex-1" onClick={onAnother}>
          {copy.another}
        </Button>
      </div>
    </div>
  )
}

export const page: Page = {
  Component: ClaimPage,
  queries: () => [claimsQuery(1)],
}
