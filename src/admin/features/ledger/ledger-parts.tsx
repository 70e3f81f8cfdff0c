import { Link } from 'react-router'
import type { LedgerTransfer } from '#contract/operator/ledger-transfers.ts'
import { ledgerCopy as copy } from '#admin/features/ledger/ledger.copy.ts'
import { PersonLink } from '#admin/kit/links.tsx'

/** A player's wallet or debt, or an account of the portal. */
export function AccountName({ account: { kind, user } }: { account: LedgerTransfer['debit'] }) {
  const name = copy.accounts[kind] ?? kind
  if (user === null) return name
  return (
    <>
      {name} <PersonLink person={user} />
    </>
  )
}

/** Where the screens of the causes are. */
const SCREENS: Record<string, string> = {
  delivery: '/deliveries',
  bank_transaction: '/bank-transfers',
  ledger_transfer: '/ledger-transfers',
  user: '/users',
}

/** Longer ids are told apart by their beginning. */
const ID_SHOWN = 8

/** What caused a movement; leads there where it has a screen. */
export function Source({ of }: { of: Pick<LedgerTransfer, 'source_type' | 'source_id'> }) {
  const screen = SCREENS[of.source_type]
  const shown = of.source_id.length > 2 * ID_SHOWN ? `${of.source_id.slice(0, ID_SHOWN)}…` : of.source_id
  const text = `${copy.sources[of.source_type] ?? of.source_type} ${shown}`
  // A bank transfer that was credited again has the number of the credit behind its id.
  const [id] = of.source_id.split(':')
  // As the filter takes it.
  const title = `${of.source_type}:${of.source_id}`
  return screen === undefined ? (
    <span title={title}>{text}</span>
  ) : (
    <Link to={`${screen}/${id}`} title={title}>
      {text}
    </Link>
  )
}
