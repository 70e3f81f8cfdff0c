import { useEffect, useRef, useState } from 'react'
import { keepPreviousData } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { Link, useSearchParams } from '#web/navigation.tsx'
import { Button, buttonClass } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { ClaimForm } from '#web/features/recharge/claim-form.tsx'
import { claimsQuery } from '#web/features/recharge/claim.api.ts'
import { claimCopy as copy, claimStates } from '#web/features/recharge/claim.copy.ts'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { BackLink, TextLink } from '#web/parts/navigation/links.tsx'
import type { Page } from '#web/page.ts'
import { pages, paths } from '#contract/pages.ts'
import { formatMoment, formatNumber } from '#contract/format.ts'
import type { RechargeClaim } from '#contract/recharge-claims.ts'
import { Badge } from '#ui/badge.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Section } from '#ui/section.tsx'
import { PagedList } from '#web/parts/lists/paged-list.tsx'

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
        <Link to={paths.recharge} className={buttonClass('plain', 'max-sm:flex-[1_1_7.5rem]')}>
          {copy.back}
        </Link>
        <Button kind="text" className="max-sm:flex-[1_1_7.5rem]" onClick={onAnother}>
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

/** The player's earlier claims, and their answers. */
function ClaimList() {
  const [page, setPage] = useState(1)
  const query = useQuery({ ...claimsQuery(page), staleTime: 0, placeholderData: keepPreviousData })
  return (
    <Section title={copy.claims}>
      <PagedList
        query={query}
        page={page}
        onTurn={(next) => setPage(next)}
        skeleton={<Skeleton className="h-40 w-full" />}
        empty={<PageState picture="empty" title={copy.none} />}
      >
        {(claims) => (
          <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
            {claims.map((claim) => (
              <ClaimRow key={claim.id} claim={claim} />
            ))}
          </ul>
        )}
      </PagedList>
    </Section>
  )
}

function ClaimRow({ claim }: { claim: RechargeClaim }) {
  const { label, tone } = claimStates[claim.status]
  const proofs = [
    claim.bank_reference !== null && copy.referenceOf(claim.bank_reference),
    claim.has_picture && copy.withPicture,
  ].filter(Boolean)
  return (
    <li className="space-y-1 px-4 py-3">
      <div className="flex items-start justify-between gap-x-4">
        <strong>{formatNumber(claim.amount)} VND</strong>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="text-sm text-soft">{copy.paid(formatMoment(claim.paid_at))}</p>
      {proofs.length > 0 && <p className="text-sm wrap-anywhere text-soft">{proofs.join(' · ')}</p>}
      {claim.note !== null && (
        <p className="text-sm wrap-anywhere whitespace-pre-line text-soft">{claim.note}</p>
      )}
      <p className="text-sm text-soft tabular-nums">
        {copy.sentAs(claim.id, formatMoment(claim.created_at))}
      </p>
      {claim.message !== null && (
        <p className="mt-2 rounded-lg border-l-4 border-line-strong bg-sunken px-3 py-2 text-[0.9375rem] wrap-anywhere whitespace-pre-line">
          <strong>{copy.answer}</strong> {claim.message}
        </p>
      )}
      {claim.case_id !== null && <TextLink to={paths.help(claim.case_id)}>{copy.thread}</TextLink>}
    </li>
  )
}
