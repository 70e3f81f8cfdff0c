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
const SCREENS: Record<string, string> = { delivery: '/deliveries', bank_transaction: '/bank-transfers' }

/** What caused a movement; leads there where it has a screen. */
export function Source({ of }: { of: Pick<LedgerTransfer, 'source_type' | 'source_id'> }) {
  const screen = SCREENS[of.source_type]
  const text = `${of.source_type}:${of.source_id}`
  // A bank transfer that was credited again has the number of the credit behind its id.
  const [id] = of.source_id.split(':')
  return screen === undefined ? text : <Link to={`${screen}/${id}`}>{text}</Link>
}
