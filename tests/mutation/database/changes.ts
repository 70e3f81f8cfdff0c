import type { Catalogue } from './catalogue.ts'
import { CHECKS } from './checks.ts'
import type { DatabaseGuard } from './guard.ts'
import { copyOf, dropOtherKeys } from './pieces.ts'

/** Which row is attacked, in tables that hold several. */
const ATTACKED: Record<string, string> = {
  bank_transaction: `direction = 'in'`,
  delivery: `state = 'pending'`,
  ledger_account: `kind = 'user_wallet' AND user_id = 1`,
  ledger_entry: `amount < 0 AND kind = 'reversal'`,
  ledger_transfer: `reverses_id IS NOT NULL`,
  legal_text: `kind = 'terms'`,
  maintenance: `section = 'all'`,
  payment_event_seal: `part = 'event'`,
  payment_provider: `name = 'momo'`,
  reconciliation_task: `name = 'pull'`,
  reward: `given_for = 'gift_code:1'`,
  schema_migration: `name = '0074-baseline'`,
  teams: `name = 'Rồng'`,
  users: `id = 1`,
}

/** Guards that are attacked at another row of their table. */
const ATTACKED_APART: Record<string, string> = {
  'delivery.delivery_replaced_once': `kind = 'again'`,
  'bank_transaction.bank_transaction_reversal_of_fkey': `direction = 'out'`,
  'bank_transaction.bank_transaction_reversal_of_key': `direction = 'out'`,
  'ledger_account.ledger_account_house_stripe': `kind = 'house_gift' AND stripe = 15`,
}

/** What a CHECK requires to be set together with a reference. */
const SET_TOO: Record<string, string> = {
  'bank_statement_day.bank_statement_day_given_id_fkey': `provider = 'file'`,
  'delivery.delivery_replaces_fkey': `kind = 'again', amount = 0`,
  'deletion_request.deletion_request_decided_by_fkey': `decided_at = now()`,
  'gift_code_batch.gift_code_batch_stopped_by_fkey': `state = 'stopped', stopped_at = now()`,
  'promotion.promotion_stopped_by_fkey': `state = 'stopped', stopped_at = now()`,
  'milestone_program.milestone_program_stopped_by_fkey': `state = 'stopped', stopped_at = now()`,
  'proposal.proposal_decided_by_fkey': `decided_at = now(), state = 'rejected'`,
  'staff_invite.staff_invite_used_by_fkey': `used_at = now()`,
  'staff_invite.staff_invite_withdrawn_by_fkey': `withdrawn_at = now()`,
}

/** Rows that refer to the attacked one by the column that is changed, and would be missed first. */
const REFERRING: Record<string, string> = {
  'ranking_days.ranking_days_group_id_fkey': `DELETE FROM ranking_day_entries;`,
  'ranking_snapshots.ranking_snapshots_group_id_fkey': `DELETE FROM ranking_entries;`,
  'second_factor.second_factor_user_id_fkey': `DELETE FROM recovery_code;`,
  'teams.teams_tournament_id_fkey': `DELETE FROM matches; DELETE FROM team_members; DELETE FROM team_invitations;
    DELETE FROM tournament_charges;`,
}

/** `game.items.items_pkey` is the constraint `items_pkey` of the table `game.items`. */
function partsOf(guard: string): { table: string; name: string } {
  const end = guard.lastIndexOf('.')
  return { table: guard.slice(0, end), name: guard.slice(end + 1) }
}

const attackedRow = (guard: string, table: string) => ATTACKED_APART[guard] ?? ATTACKED[table] ?? 'true'

/** Triggers of our own would refuse the change before the guard is reached. */
const withoutTriggers = (table: string) => `ALTER TABLE ${table} DISABLE TRIGGER USER;`

function changeGuard(guard: string, refusal: string, change: string): DatabaseGuard {
  const { table, name } = partsOf(guard)
  return {
    name: guard,
    removal: `ALTER TABLE ${table} DROP CONSTRAINT ${name}`,
    preparation: `${withoutTriggers(table)}${REFERRING[guard] ?? ''}`,
    attempt: `UPDATE ${table} SET ${change} WHERE ${attackedRow(guard, table)}`,
    refusal: `${refusal} ${guard}`,
  }
}

const checkGuards = Object.entries(CHECKS).map(([guard, change]) => changeGuard(guard, '23514', change))

const MISSING: Record<string, string> = {
  day: `'2000-01-01'`,
  delivery_id: `'00000000-0000-4000-8000-00000000000f'`,
  provider: `'missing'`,
  replaces: `'00000000-0000-4000-8000-00000000000f'`,
  server_id: `'missing'`,
}

/** Columns that cannot be set, by what sets them. */
const GENERATED_FROM: Record<string, string> = { list_provider: 'provider' }

/** A reference to what is not there, by its last column. */
function referenceGuard([guard, definition]: [string, string]): DatabaseGuard {
  const referring = /^\((?:[^)]*, )?(\w+)\)/.exec(definition)?.[1] ?? ''
  const column = GENERATED_FROM[referring] ?? referring
  const change = [`${column} = ${MISSING[column] ?? 2_000_000_000}`, SET_TOO[guard]]
    .filter(Boolean)
    .join(', ')
  return changeGuard(guard, '23503', change)
}

const filledGuards = ([table, columns]: [string, string]): DatabaseGuard[] =>
  columns.split(' ').map((column) => ({
    ...changeGuard(`${table}.${column}`, '23502', `${column} = NULL`),
    name: `${table}.${column} is filled`,
    removal: `ALTER TABLE ${table} ALTER COLUMN ${column} DROP NOT NULL`,
  }))

/** The attacked row once more, with nothing else of the table that is unique. */
function keyGuard([guard, definition]: [string, string]): DatabaseGuard {
  const { table, name } = partsOf(guard)
  const isIndex = definition.startsWith('UNIQUE INDEX')
  const schema = table.startsWith('game.') ? 'game.' : ''
  return {
    name: guard,
    removal: isIndex ? `DROP INDEX ${schema}${name}` : `ALTER TABLE ${table} DROP CONSTRAINT ${name} CASCADE`,
    preparation: `${withoutTriggers(table)}${dropOtherKeys(table, name)}`,
    attempt: copyOf(table, attackedRow(guard, table)),
    refusal: `${definition.startsWith('EXCLUDE') ? '23P01' : '23505'} ${guard}`,
  }
}

/** What PostgreSQL refuses of itself when a row is changed or written: values, references, repetitions. */
export const rowGuards = ({ references, filled, keys }: Catalogue): DatabaseGuard[] => [
  ...checkGuards,
  ...Object.entries(references).map(referenceGuard),
  ...Object.entries(filled).flatMap(filledGuards),
  ...Object.entries(keys).map(keyGuard),
]
