import { Link } from 'react-router'
import type { Part, Thing } from '#contract/operator/audit-sentences/parts.ts'
import { settingAddress } from '#admin/kit/setting-address.ts'

/** Where the screen of a kind of thing is. */
const SCREENS: Readonly<Record<string, (id: string) => string>> = {
  setting: settingAddress,
  user: (id) => `/users/${id}`,
  maintenance: () => '/maintenance',
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
  delivery: (id) => `/deliveries/${id}`,
  daily_close: (id) => `/daily-closes/${id}`,
  reconciliation: () => '/reconciliation',
  payment_order: (id) => `/recharge-orders/${id}`,
  deletion_request: (id) => `/deletion-requests/${id}`,
}

const addressOfThing = ({ type, id }: Thing): string | null =>
  Object.hasOwn(SCREENS, type) ? (SCREENS[type]?.(id) ?? null) : null

/** A part of a sentence; what it names leads to its screen. */
export function SentencePart({ part: { text, thing } }: { part: Part }) {
  const address = thing && addressOfThing(thing)
  return address === null ? text : <Link to={address}>{text}</Link>
}
