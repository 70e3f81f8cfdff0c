import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Change, Part, Thing } from '#contract/operator/audit-sentences/parts.ts'
import { kitCopy } from './kit.copy.ts'
import { settingAddress } from './setting-value.tsx'

const copy = kitCopy.change

/** Who did what: `actor` comes before the sentence, which begins with the verb. */
export function ActSentence({ actor, sentence }: { actor: ReactNode; sentence: readonly Part[] }) {
  return (
    <span className="wrap-anywhere">
      <strong>{actor}</strong>{' '}
      {sentence.map((part, index) => (
        <SentencePart key={`${index} ${part.text}`} part={part} />
      ))}
    </span>
  )
}

/** The values before and after; of a new thing only those after. */
export function Changes({ changes }: { changes: readonly Change[] }) {
  if (changes.length === 0) return null
  // Of a new thing every field was empty.
  const isNew = changes.length > 1 && changes.every(({ before }) => !before)
  return (
    <dl className="min-w-0 space-y-1 text-left">
      {changes.map(({ label, before, after }) => (
        <div key={label} className="flex flex-wrap items-baseline gap-x-2">
          {label !== '' && <dt className="text-sm text-soft">{label}:</dt>}
          <dd className="flex min-w-0 flex-wrap items-baseline gap-x-2">
            {!isNew && before !== null && (
              <>
                <del className="wrap-anywhere text-soft">
                  <span className="sr-only">{copy.before}: </span>
                  {before || copy.nothing}
                </del>
                <span aria-hidden="true">→</span>
              </>
            )}
            <ins className="font-bold wrap-anywhere no-underline">
              <span className="sr-only">{copy.after}: </span>
              {after || copy.nothing}
            </ins>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Where the screen of a kind of thing is. */
const SCREENS: Readonly<Record<string, (id: string) => string>> = {
  setting: settingAddress,
  user: (id) => `/users/${id}`,
  maintenance: () => '/maintenance',
  budget: (id) => `/budgets?id=${id}`,
  promotion: (id) => `/promotions?id=${id}`,
  milestones: (id) => `/milestones?id=${id}`,
  'gift-codes': (id) => `/gift-codes?id=${id}`,
  'staff-invite': () => '/staff',
  invite: () => '/proposals',
  server: () => '/servers',
  'ranking-group': () => '/groups',
  post: (id) => `/posts/${id}`,
  category: () => '/categories',
  picture: () => '/pictures',
  legal_text: (id) => `/legal/${id}`,
  tournament: (id) => `/tournaments/${id}`,
  bank_transaction: (id) => `/bank-transfers/${id}`,
  payment_event: (id) => `/payment-events/${id}`,
  recharge_claim: (id) => `/recharge-claims/${id}`,
  case: (id) => `/cases/${id}`,
  'answer-template': () => '/answer-templates',
  delivery: (id) => `/deliveries/${id}`,
  daily_close: (id) => `/daily-closes/${id}`,
  reconciliation: () => '/reconciliation',
  payment_order: (id) => `/recharge-orders/${id}`,
  deletion_request: (id) => `/deletion-requests/${id}`,
}

const addressOfThing = ({ type, id }: Thing): string | null =>
  Object.hasOwn(SCREENS, type) ? (SCREENS[type]?.(id) ?? null) : null

/** A part of a sentence, with a link to the screen of what it names. */
function SentencePart({ part: { text, thing } }: { part: Part }) {
  const address = thing && addressOfThing(thing)
  return address === null ? text : <Link to={address}>{text}</Link>
}
