import { Link } from 'react-router'
import { PersonLink } from '#admin/kit/links.tsx'
import type { LedgerTransfer } from '#contract/operator/ledger-transfers.ts'
import { ACCOUNT_WORDS, LEDGER_WORDS, SOURCE_WORDS } from '#contract/operator/words.ts'

/** A player's wallet or debt, or an account of the portal. */
export function AccountName({ account: { kind, user } }: { account: LedgerTransfer['debit'] }) {
  const name = ledgerCopy.accounts[kind] ?? kind
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

/** Of longer ids only the beginning is shown. */
const ID_SHOWN = 8

/** The cause of a movement, with a link when it has a screen. */
export function Source({ of }: { of: Pick<LedgerTransfer, 'source_type' | 'source_id'> }) {
  const screen = SCREENS[of.source_type]
  const shown = of.source_id.length > 2 * ID_SHOWN ? `${of.source_id.slice(0, ID_SHOWN)}…` : of.source_id
  const text = `${ledgerCopy.sources[of.source_type] ?? of.source_type} ${shown}`
  // A bank transfer that was credited again has the number of the credit behind its id.
  const [id] = of.source_id.split(':')
  // The form that the filter takes.
  const title = `${of.source_type}:${of.source_id}`
  return screen === undefined ? (
    <span title={title}>{text}</span>
  ) : (
    <Link to={`${screen}/${id}`} title={title}>
      {text}
    </Link>
  )
}

export const ledgerCopy = {
  one: 'Dòng sổ cái',
  empty: 'Chưa có dòng nào. Mọi TCoin di chuyển đều có một dòng ở đây, không ai sửa hay xóa được.',
  kind: 'Loại',
  amount: 'Số TCoin',
  debit: 'Từ',
  credit: 'Đến',
  source: 'Nguồn',
  sourceHint: 'Nguồn (loại:mã)',
  budget: 'Số của ngân sách',
  operator: 'Người vận hành',
  request: 'Mã yêu cầu',
  reverses: 'Đảo lại dòng',
  reversedBy: 'Bị đảo lại bởi dòng',
  before: 'Số dư trước',
  after: 'Số dư sau',
  account: 'Tài khoản sổ cái',
  balances: 'Số dư hai bên',
  stripe: (stripe: number) => `ngăn ${stripe}`,
  whole: 'Cả tài khoản hiện có',
  kinds: LEDGER_WORDS,
  sources: SOURCE_WORDS,
  accounts: ACCOUNT_WORDS,
} as const
