import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import * as z from 'zod/mini'
import { browserCall } from '#web/browser-call.ts'
import { useState, type ComponentProps } from 'react'
import { findPayee, transferBody, type listRecentPayees, type Payee } from '#contract/transfers.ts'
import { afterPress } from '#client/after-press.ts'
import { Field } from '#ui/field.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { transferCopy as copy } from '#web/features/transfers/transfer.copy.ts'
import { CharacterHead } from '#web/parts/characters/character-head.tsx'
import { Badge } from '#ui/badge.tsx'
import { CallError } from '#client/call.ts'
import { messagesOf } from '#web/parts/outcomes/report-outcome.ts'
import { ownQuery } from '#web/query-client.ts'

type Props = Pick<ComponentProps<'input'>, 'name' | 'value' | 'onChange'> & {
  error?: string
  found: ReturnType<typeof usePayee>
  onBlur: () => void
  onChoose: (payee: Payee) => void
}

/** The payee's name, the recent ones to choose from, and who it is as soon as that is known. */
export function PayeeField({ found, error, onBlur, onChoose, ...field }: Props) {
  const { payee, problem, isLooking, recent } = found
  return (
    <div className="space-y-4">
      <Field
        {...field}
        label={copy.payee}
        error={error ?? problem}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        onBlur={() => {
          onBlur()
          afterPress(found.lookUp)
        }}
      />
      {/* Who it is takes the place of the recent ones: what is below stays where it is. */}
      <div className="min-h-20">
        {!payee && !isLooking && recent.length > 0 && <RecentPayees payees={recent} onChoose={onChoose} />}
        {!payee && !isLooking && recent.length === 0 && (
          <p className="text-sm text-soft">{copy.payeeCheck}</p>
        )}
        <div aria-live="polite">
          {isLooking && !payee && <Skeleton className="h-20 w-full" />}
          {payee && <PayeeCard payee={payee} />}
        </div>
      </div>
    </div>
  )
}

type RecentProps = { payees: readonly Payee[]; onChoose: (payee: Payee) => void }

function RecentPayees({ payees, onChoose }: RecentProps) {
  return (
    <div role="group" aria-label={copy.recent}>
      <p aria-hidden="true" className="mb-1 text-sm text-soft">
        {copy.recent}
      </p>
      <ul className="-mx-4 flex gap-2 overflow-x-auto px-4 pb-1 sm:mx-0 sm:flex-wrap sm:px-0">
        {payees.map((payee) => (
          <li key={payee.username} className="shrink-0">
            <button
              type="button"
              className="flex min-h-11 items-center gap-2 rounded-full border border-line-strong bg-raised py-1 pr-4 pl-1.5 font-bold hover:bg-sunken"
              // The focus stays: leaving the field would start a look-up of the text so far.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChoose(payee)}
            >
              <CharacterHead head={payee.character?.head ?? 0} className="rounded-lg size-8" />
              {payee.username}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Who would receive the transfer: portrait, name, and whether they can trade. */
export function PayeeCard({ payee: { username, activated, character } }: { payee: Payee }) {
  return (
    <div className="flex items-center gap-3 rounded-xl bg-sunken p-3">
      <CharacterHead head={character?.head ?? 0} />
      <div className="min-w-0 flex-1">
        <strong className="block wrap-anywhere">{username}</strong>
        <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-sm text-soft">
          <span>{character ? copy.characterOf(character.name) : copy.noCharacter}</span>
          <Badge tone={activated ? 'success' : 'note'}>
            {activated ? copy.activated : copy.notActivated}
          </Badge>
        </span>
      </div>
    </div>
  )
}

const HOUR_MS = 3_600_000

/** Cached as long as the server counts a name, so that the same name is not looked up twice. */
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
  const [lookedUp, setLookedUp] = useState<string | null>(null)
  const name = nameOf(typed)
  const isLookedUp = lookedUp === name
  const query = useQuery({ ...payeeQuery(name), enabled: isLookedUp })
  const recent = useQuery(recentQuery)

  function lookUp(): void {
    const isName = z.safeParse(transferBody.shape.payee, name).success
    setLookedUp(isName && name !== own.toLowerCase() ? name : null)
  }

  return {
    payee: isLookedUp ? (query.data ?? null) : null,
    problem: isLookedUp && query.error ? problemOf(query.error) : undefined,
    isLooking: isLookedUp && query.isFetching,
    recent: recent.data ?? [],
    lookUp,
    /** Whether there is such a payee, once that is known. */
    async isFound(): Promise<boolean> {
      setLookedUp(name)
      return client.ensureQueryData(payeeQuery(name)).then(
        () => true,
        () => false,
      )
    },
    /** One of the recent payees, who need no look-up. */
    choose(payee: Payee): void {
      client.setQueryData(payeeQuery(nameOf(payee.username)).queryKey, payee)
      setLookedUp(nameOf(payee.username))
    },
    /** After a transfer: who was paid is a recent payee, and may be activated now. */
    forget(): void {
      client.removeQueries({ queryKey: payeeQuery(name).queryKey })
      setLookedUp(null)
      void client.invalidateQueries({ queryKey: recentQuery.queryKey })
    },
  }
}

function problemOf(error: unknown): string {
  const isTooMany = error instanceof CallError && error.body?.code === 'RATE_LIMITED'
  return isTooMany ? copy.tooManyNames : messagesOf(error).join(' ')
}
