import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoment, formatNumber } from '#contract/format.ts'
import type { RechargeClaim } from '#contract/recharge-claims.ts'
import { Badge } from '#ui/badge.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { claimsQuery } from '#web/features/recharge/claim.api.ts'
import { claimCopy as copy, claimStates } from '#web/features/recharge/claim.copy.ts'
import { PagedList } from '#web/parts/lists/paged-list.tsx'

/** The player's earlier claims, and their answers. */
export function ClaimList() {
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
    </li>
  )
}
