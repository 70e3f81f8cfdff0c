import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { findPayee, type listRecentPayees, transferBody, type Payee } from '#contract/transfers.ts'
import { browserCall } from '#web/browser-call.ts'
import { CallError } from '#client/call.ts'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { ownQuery } from '#web/query-client.ts'

const HOUR_MS = 3_600_000

/** Cached as long as the server counts a name, so that the same name is looked up once. */
const payeeQuery = (name: string) =>
  queryOptions({
    queryKey: ['own', findPayee.path, name],
    queryFn: () => browserCall(findPayee, { body: { payee: name } }),
    staleTime: HOUR_MS,
    gcTime: HOUR_MS,
  })

const recentQuery = ownQuery<typeof listRecentPayees>('/user/transfer/payees')

const nameOf = (typed: string) => typed.trim().toLowerCase()

/** The payee behind a typed name: looked up when the field is left, and at the latest before the confirmation. */
export function usePayee(typed: string, own: string) {
  const client = useQueryClient()
  const [asked, setAsked] = useState<string | null>(null)
  const name = nameOf(typed)
  const isAsked = asked === name
  const query = useQuery({ ...payeeQuery(name), enabled: isAsked })
  const recent = useQuery(recentQuery)

  function lookUp(): void {
    const isName = z.safeParse(transferBody.shape.payee, name).success
    setAsked(isName && name !== own.toLowerCase() ? name : null)
  }

  return {
    payee: isAsked ? (query.data ?? null) : null,
    problem: isAsked && query.error ? problemOf(query.error) : undefined,
    isLooking: isAsked && query.isFetching,
    recent: recent.data ?? [],
    lookUp,
    /** Whether there is such a payee, once that is known. */
    async isFound(): Promise<boolean> {
      setAsked(name)
      return client.ensureQueryData(payeeQuery(name)).then(
        () => true,
        () => false,
      )
    },
    /** One of the recent payees, who need no look-up. */
    choose(payee: Payee): void {
      client.setQueryData(payeeQuery(nameOf(payee.username)).queryKey, payee)
      setAsked(nameOf(payee.username))
    },
    /** After a transfer: who was paid is a recent payee, and may be activated now. */
    forget(): void {
      client.removeQueries({ queryKey: payeeQuery(name).queryKey })
      setAsked(null)
      void client.invalidateQueries({ queryKey: recentQuery.queryKey })
    },
  }
}

function problemOf(error: unknown): string {
  const isTooMany = error instanceof CallError && error.body?.code === 'RATE_LIMITED'
  return isTooMany ? copy.tooManyNames : messagesOf(error).join(' ')
}
