import type { DatabaseGuard } from './guard.ts'
import { ERASE_PLAYER, holds } from './pieces.ts'

/** A function that runs with the owner's rights, and a call of it that shows what it did to the real tables. */
type Definer = {
  name: string
  /** As the portal, whatever schema stands first. Ends with an error unless it did its work. */
  call: string
  preparation?: string
  /** Tables it names. */
  tables: readonly string[]
  /** Its parameters, for who may call it directly. Triggers are called by nobody. */
  parameters?: number
  /** Only other functions call it, with the owner's rights already. */
  isInternal?: boolean
}

const EVENT = `INSERT INTO public.payment_event (provider, provider_event_id, signature, direction, amount, account_number)
  VALUES ('sepay', '2', 'valid', 'in', 1, '1');`
const sealed = (part: string) =>
  holds(`(SELECT count(*) FROM public.payment_event_seal WHERE part = '${part}') = 2`)

const DEFINERS: Definer[] = [
  {
    name: 'audit_append',
    parameters: 10,
    tables: ['audit_line', 'audit_log', 'audit_personal'],
    call: `SELECT public.audit_append('system', NULL, 'test.call', 'user', '3', NULL, '{}', NULL, NULL, NULL);
      ${holds(`EXISTS (SELECT FROM public.audit_log WHERE action = 'test.call')`)}`,
  },
  {
    name: 'audit_erase_personal',
    parameters: 1,
    tables: ['audit_log', 'audit_personal'],
    preparation: `ALTER TABLE audit_log DISABLE TRIGGER USER; UPDATE audit_log SET at = now() - interval '25 months';`,
    call: holds(`public.audit_erase_personal(10) = 1`),
  },
  {
    name: 'audit_erase_personal_of',
    parameters: 2,
    tables: ['audit_log', 'audit_personal'],
    preparation: `SELECT audit_append('system', NULL, 'users.erase', 'user', '1', NULL, '{}', NULL, NULL, NULL);`,
    call: `SELECT public.audit_erase_personal_of(1, '{}');
      ${holds(`NOT EXISTS (SELECT FROM public.audit_personal)`)}`,
  },
  {
    name: 'audit_erase_personal_parts',
    parameters: 1,
    tables: ['audit_log', 'audit_personal'],
    preparation: `ALTER TABLE audit_log DISABLE TRIGGER USER; UPDATE audit_log SET at = now() - interval '25 months';`,
    call: holds(`public.audit_erase_personal_parts(ARRAY(SELECT seq FROM public.audit_personal)) = 1`),
  },
  {
    name: 'audit_seal_day',
    parameters: 0,
    tables: ['audit_head', 'audit_line', 'audit_seal'],
    preparation: `ALTER TABLE audit_seal DISABLE TRIGGER USER; UPDATE audit_seal SET day = '2026-01-01';`,
    call: holds(`(public.audit_seal_day()).number = 2`),
  },
  {
    name: 'budget_opens_account',
    tables: ['ledger_account'],
    call: `INSERT INTO public.budget (title, made_by) VALUES ('Tết', 2);
      ${holds(`(SELECT count(*) FROM public.ledger_account WHERE kind = 'budget') = 2`)}`,
  },
  {
    name: 'erase_deliveries_of',
    parameters: 1,
    tables: ['delivery', 'users'],
    preparation: ERASE_PLAYER,
    call: `SELECT public.erase_deliveries_of(1);
      ${holds(`EXISTS (SELECT FROM public.delivery WHERE account = 'da-xoa')`)}`,
  },
  {
    name: 'erase_user',
    parameters: 1,
    tables: ['users', 'user_roles'],
    call: holds(`public.erase_user(3)`),
  },
  {
    name: 'ledger_gather',
    parameters: 8,
    isInternal: true,
    tables: ['ledger_account'],
    call: `SELECT public.ledger_gather(9000000000000005, 9000000000000005 + 100 * n, 20000, 1, 'test', NULL, NULL, NULL)
        FROM generate_series(0, 1) AS n;
      ${holds(`(SELECT balance FROM public.ledger_account WHERE id = 9000000000000105) = 20000`)}`,
  },
  {
    name: 'ledger_open_account',
    parameters: 2,
    tables: ['ledger_account'],
    call: `SELECT public.ledger_open_account('user_wallet', 77);
      ${holds(`EXISTS (SELECT FROM public.ledger_account WHERE user_id = 77)`)}`,
  },
  {
    name: 'ledger_post',
    parameters: 10,
    tables: ['ledger_account', 'ledger_transfer', 'ledger_entry'],
    call: `SELECT public.ledger_post('p2p', (SELECT id FROM public.ledger_account WHERE kind = 'user_wallet' AND user_id = 1),
        (SELECT id FROM public.ledger_account WHERE user_id = 2), 1, 'test', '1', NULL, NULL, NULL, NULL);
      ${holds(`EXISTS (SELECT FROM public.ledger_transfer WHERE source_type = 'test')`)}`,
  },
  {
    name: 'seal_payment_event_bodies',
    tables: ['payment_event_seal'],
    call: `${EVENT} INSERT INTO public.payment_event_body (event_id, raw, memo, full_text)
      SELECT max(id), '-', '-', '-' FROM public.payment_event; ${sealed('body')}`,
  },
  {
    name: 'seal_payment_events',
    tables: ['payment_event_seal'],
    call: `${EVENT} ${sealed('event')}`,
  },
]

/** Empty tables of the same names in a schema that whoever calls puts first. */
const shadows = (tables: readonly string[]) =>
  `CREATE SCHEMA shadow; ${tables.map((table) => `CREATE TABLE shadow.${table} (LIKE public.${table});`).join(' ')}`

const inShadow = (statements: string) =>
  `SET LOCAL search_path = shadow, public; ${statements}; SET LOCAL search_path = public`

function guardsOf({
  name,
  call,
  preparation = '',
  tables,
  parameters,
  isInternal,
}: Definer): DatabaseGuard[] {
  const as = isInternal ? {} : { as: 'portal' as const }
  const ownRights: DatabaseGuard = {
    name: `${name} runs with the owner’s rights`,
    removal: `ALTER FUNCTION ${name} SECURITY INVOKER`,
    preparation,
    attempt: call,
    ...as,
    refusal: 'done',
  }
  const ownSchema: DatabaseGuard = {
    name: `${name} names tables of its own schema`,
    removal: `ALTER FUNCTION ${name} RESET search_path`,
    preparation: `${preparation} ${shadows(tables)}`,
    attempt: inShadow(call),
    ...as,
    refusal: 'done',
  }
  const refusedTo = (role: 'portal' | 'stranger'): DatabaseGuard => ({
    name: `${name} is not for ${role === 'portal' ? 'the portal’s role' : 'other roles'}`,
    removal: `GRANT EXECUTE ON FUNCTION ${name} TO ${role === 'portal' ? 'portal_app' : 'PUBLIC'}`,
    attempt: `SELECT ${name}(${Array.from({ length: parameters ?? 0 }, () => 'NULL').join(', ')})`,
    as: role,
    refusal: `42501 permission denied for function ${name}`,
  })
  return [
    ...(isInternal ? [refusedTo('portal')] : [ownRights]),
    ownSchema,
    ...(parameters === undefined ? [] : [refusedTo('stranger')]),
  ]
}

const NEW_DEVICE = `INSERT INTO public.known_device (user_id, kind, hash) VALUES (1, 'cookie', sha256('b'));`
const NEW_TRANSFER = `SELECT public.ledger_post('p2p', (SELECT id FROM public.ledger_account WHERE kind = 'user_wallet' AND user_id = 1),
  (SELECT id FROM public.ledger_account WHERE user_id = 2), 1, 'test', '1', NULL, NULL, NULL, NULL);`

/** Functions of triggers that run with the rights of whoever writes, and read tables. */
const invokerGuards: DatabaseGuard[] = [
  {
    name: 'ledger_transfer_is_balanced names tables of its own schema',
    removal: 'ALTER FUNCTION ledger_transfer_is_balanced RESET search_path',
    preparation: shadows(['ledger_entry']),
    attempt: inShadow(`${NEW_TRANSFER} SET CONSTRAINTS ALL IMMEDIATE`),
    refusal: 'done',
  },
  {
    name: 'daily_close_turns names tables of its own schema',
    removal: 'ALTER FUNCTION daily_close_turns RESET search_path',
    preparation: `DELETE FROM daily_close_due; ${shadows(['daily_close_due'])}`,
    attempt:
      inShadow(`INSERT INTO public.bank_transaction (account_number, direction, amount, state, booked_at)
      VALUES ('1', 'in', 1, 'review', now() - interval '2 days');
      ${holds('EXISTS (SELECT FROM public.daily_close_due)')}`),
    refusal: 'done',
  },
  {
    name: 'refuse_erased_user names tables of its own schema',
    removal: 'ALTER FUNCTION refuse_erased_user RESET search_path',
    preparation: `${ERASE_PLAYER} ${shadows(['users'])}`,
    attempt: inShadow(NEW_DEVICE),
    refusal: 'CN002 user was erased',
  },
]

export const definerNames = DEFINERS.map(({ name }) => name)
export const definerGuards = [...DEFINERS.flatMap(guardsOf), ...invokerGuards]
