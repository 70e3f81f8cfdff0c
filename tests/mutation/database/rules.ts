import type { DatabaseGuard } from './guard.ts'
import { dropOtherKeys, ERASE_PLAYER, holds, rewrite } from './pieces.ts'

type Rule = Omit<DatabaseGuard, 'name' | 'removal'> & {
  /** What the function guards. */
  rule: string
  piece: string
  instead?: string
}

const guardsOf = (name: string, rules: readonly Rule[]): DatabaseGuard[] =>
  rules.map(({ rule, piece, instead = '', ...rest }) => ({
    name: `${name}: ${rule}`,
    removal: rewrite(name, piece, instead),
    ...rest,
  }))

const wallet = (user: number) =>
  `(SELECT id FROM ledger_account WHERE kind = 'user_wallet' AND user_id = ${user})`
const post = (amount: number | 'NULL', source = 1) =>
  `SELECT ledger_post('p2p', ${wallet(1)}, ${wallet(2)}, ${amount}, 'test', '${source}', NULL, NULL, NULL, NULL);`
const balanceIsLastEntry = (user: number) =>
  holds(`(SELECT a.balance = e.balance_after FROM ledger_account a JOIN ledger_entry e ON e.account_id = a.id
    WHERE a.id = ${wallet(user)} ORDER BY account_version DESC LIMIT 1)`)

const postRules = guardsOf('ledger_post', [
  {
    rule: 'the amount is positive',
    piece: 'p_amount <= 0',
    instead: 'false',
    attempt: post(0),
    refusal: '23514 amount must be positive',
  },
  {
    rule: 'there is an amount',
    piece: 'p_amount IS NULL OR ',
    attempt: post('NULL'),
    refusal: '23514 amount must be positive',
  },
  {
    rule: 'the debit account holds the amount',
    piece: 'debit.balance < p_amount',
    instead: 'false',
    attempt: post(1_000_000),
    refusal: 'CN001 insufficient balance',
  },
  {
    rule: 'each posting is the next of its accounts',
    piece: 'version = version + 1',
    instead: 'version = version',
    attempt: `${post(1, 1)} ${post(1, 2)}`,
    refusal: 'done',
  },
  {
    rule: 'the debit account’s balance is its last entry’s',
    piece: 'THEN debit_balance',
    instead: 'THEN balance',
    attempt: `${post(1)} ${balanceIsLastEntry(1)}`,
    refusal: 'done',
  },
  {
    rule: 'the credit account’s balance is its last entry’s',
    piece: 'ELSE credit_balance',
    instead: 'ELSE balance',
    attempt: `${post(1)} ${balanceIsLastEntry(2)}`,
    refusal: 'done',
  },
])

const gatherRules = guardsOf('ledger_gather', [
  {
    rule: 'the whole account holds the amount',
    piece: '< p_amount THEN',
    instead: 'IS NULL THEN',
    attempt: `SELECT ledger_gather(9000000000000005, 9000000000000005, 20001, 1, 'test', NULL, NULL, NULL)`,
    refusal: 'CN001 insufficient balance',
  },
])

const openRules = guardsOf('ledger_open_account', [
  {
    rule: 'only a debt may be overdrawn',
    piece: `p_kind = 'receivable'`,
    instead: 'true',
    attempt: `SELECT ledger_open_account('user_wallet', 77);
      ${holds(`(SELECT NOT may_overdraw FROM ledger_account WHERE user_id = 77)`)}`,
    refusal: 'done',
  },
  {
    rule: 'answers the account there is',
    piece: 'ON CONFLICT (user_id, kind) WHERE user_id IS NOT NULL DO NOTHING',
    attempt: holds(`ledger_open_account('user_wallet', 1) = ${wallet(1)}`),
    refusal: 'done',
  },
])

/** A transfer of 5 from player 1 to 2 with entries by hand. */
const byHand = (entries: readonly [user: number, amount: number][]) => `
DO $$
DECLARE
  made bigint;
BEGIN
  INSERT INTO ledger_transfer (kind, debit_account, credit_account, amount, source_type, source_id)
    VALUES ('p2p', ${wallet(1)}, ${wallet(2)}, 5, 'test', '1') RETURNING id INTO made;
  ${entries
    .map(
      ([user, amount], at) => `INSERT INTO ledger_entry
        (account_id, account_version, transfer_id, kind, amount, balance_before, balance_after, created_at)
        VALUES (${wallet(user)}, ${100 + at}, made, 'p2p', ${amount}, 0, ${amount}, now());`,
    )
    .join('\n')}
END
$$;`
const NOT_BALANCED = 'CN003 ledger transfer is not balanced'

const balancedRules = guardsOf('ledger_transfer_is_balanced', [
  {
    rule: 'two entries and no more',
    piece: 'count(*) = 2 AND ',
    preparation: dropOtherKeys('ledger_entry'),
    attempt: byHand([
      [1, -5],
      [2, 5],
      [1, -5],
      [2, 5],
    ]),
    refusal: NOT_BALANCED,
  },
  {
    rule: 'entries that cancel out',
    piece: 'sum(amount) = 0',
    instead: 'true',
    preparation: dropOtherKeys('ledger_entry'),
    attempt: byHand([
      [1, -5],
      [1, -5],
    ]),
    refusal: NOT_BALANCED,
  },
  {
    rule: 'entries of both accounts, in the amount',
    piece: 'bool_and(',
    instead: 'bool_or(true OR ',
    attempt: byHand([
      [1, -4],
      [2, 4],
    ]),
    refusal: NOT_BALANCED,
  },
])

const ERASED_DELIVERY = {
  account: `'da-xoa'`,
  character_id: `'da-xoa'`,
  character_name: `'Đã xóa'`,
  last_error: 'NULL',
}

/** What was promised to an erased person, changed but for what names the person. */
const eraseBut = (change: Record<string, string>, state = 'delivered') => {
  const changes = Object.entries({ ...ERASED_DELIVERY, ...change }).map(([column, to]) => `${column} = ${to}`)
  return `UPDATE delivery SET ${changes.join(', ')} WHERE state = '${state}'`
}
const SETTLED = 'CN002 delivery is already delivered'

const deliveryRules = guardsOf('delivery_keeps_promise', [
  {
    rule: 'of the delivered',
    piece: `OLD.state IN ('delivered', 'refunded')`,
    instead: `OLD.state IN ('refunded')`,
    attempt: `UPDATE delivery SET state = 'refunded' WHERE state = 'delivered'`,
    refusal: SETTLED,
  },
  {
    rule: 'of the refunded',
    piece: `OLD.state IN ('delivered', 'refunded')`,
    instead: `OLD.state IN ('delivered')`,
    preparation: `UPDATE delivery SET state = 'refunded', settled_at = now() WHERE state = 'pending'`,
    attempt: `UPDATE delivery SET state = 'delivered' WHERE state = 'refunded'`,
    refusal: 'CN002 delivery is already refunded',
  },
  ...(
    [
      ['account', `NEW.account <> 'da-xoa' OR `, `'another'`],
      ['character_id', `NEW.character_id <> 'da-xoa' OR `, `'another'`],
      ['character_name', `NEW.character_name <> 'Đã xóa'`, `'another'`],
      ['last_error', `OR NEW.last_error IS NOT NULL `, `'another'`],
      ['amount', `OR to_jsonb(NEW) - personal IS DISTINCT FROM to_jsonb(OLD) - personal`, '1'],
    ] as const
  ).map(([column, piece, to]) => ({
    rule: `erasing leaves no other ${column}`,
    piece,
    instead: column === 'character_name' ? 'false' : '',
    attempt: eraseBut({ [column]: to }),
    refusal: SETTLED,
  })),
])

const FACTS: Record<string, string> = {
  id: 'DEFAULT',
  provider: `'casso'`,
  provider_event_id: `'2'`,
  signature: `'pulled'`,
  direction: `'out'`,
  amount: 'amount + 1',
  account_number: `'2'`,
  virtual_account: `'2'`,
  bank_ref: `'2'`,
  booked_at: 'NULL',
  received_at: `received_at - interval '1 day'`,
}

const factRules = Object.entries(FACTS).flatMap(([column, to]) => [
  ...guardsOf('payment_event_keeps_facts', [
    {
      rule: `the ${column} stays`,
      piece: column === 'received_at' ? 'NEW.received_at)' : `NEW.${column},`,
      instead: column === 'received_at' ? 'OLD.received_at)' : `OLD.${column},`,
      attempt: `UPDATE payment_event SET ${column} = ${to}`,
      refusal: 'CN002 the facts of a payment event cannot change',
    },
  ]),
])

const CHANGED: Record<string, string> = {
  text: 'out',
  bigint: '2',
  bytea: '\\\\x32',
  timestamptz: '2026-01-01',
}

/** Each column stands in the seal: a row that differs in it alone has another digest. */
const sealRules = (table: string, columns: Record<string, string>) =>
  guardsOf(
    `${table}_digest`,
    Object.entries(columns).map(([column, type]) => ({
      rule: `covers ${column}`,
      piece: `(${table === 'payment_event' ? 'event' : 'body'}).${column},`,
      instead: `NULL::${type},`,
      attempt: holds(`(SELECT ${table}_digest(sealed) <>
        ${table}_digest(jsonb_populate_record(sealed, '{"${column}": "${CHANGED[type]}"}')) FROM ${table} sealed)`),
      refusal: 'done',
    })),
  )

const trailRules = [
  ...guardsOf('audit_erase_personal', [
    {
      rule: 'only after two years',
      piece: `a.at < now() - interval '24 months'`,
      instead: 'true',
      attempt: holds('audit_erase_personal(10) = 0'),
      refusal: 'done',
    },
  ]),
  ...guardsOf('audit_erase_personal_parts', [
    {
      rule: 'only after two years',
      piece: `a.at < now() - interval '24 months'`,
      instead: 'true',
      attempt: holds('audit_erase_personal_parts(ARRAY(SELECT seq FROM audit_personal)) = 0'),
      refusal: 'done',
    },
  ]),
  ...guardsOf('audit_erase_personal_of', [
    {
      rule: 'only of the erased',
      piece: 'IF NOT EXISTS',
      instead: 'IF false AND NOT EXISTS',
      attempt: `SELECT audit_erase_personal_of(1, '{}')`,
      refusal: 'CN002 user was not erased',
    },
  ]),
]

const eraseRules = [
  ...guardsOf('erase_user', [
    {
      rule: 'once',
      piece: 'erased_at IS NULL AND ',
      preparation: ERASE_PLAYER,
      attempt: holds('NOT erase_user(1)'),
      refusal: 'done',
    },
    {
      rule: 'never an operator',
      piece: 'NOT EXISTS',
      instead: 'true OR EXISTS',
      attempt: holds('NOT erase_user(2)'),
      refusal: 'done',
    },
  ]),
  ...guardsOf('erase_deliveries_of', [
    {
      rule: 'only what is settled',
      piece: `AND state IN ('delivered', 'refunded')`,
      preparation: ERASE_PLAYER,
      attempt: `SELECT erase_deliveries_of(1);
        ${holds(`(SELECT account FROM delivery WHERE state = 'pending') = 'tuanninja'`)}`,
      refusal: 'done',
    },
    {
      rule: 'only of the erased',
      piece: 'AND erased_at IS NOT NULL',
      attempt: `SELECT erase_deliveries_of(1);
        ${holds(`(SELECT account FROM delivery WHERE state = 'delivered') = 'tuanninja'`)}`,
      refusal: 'done',
    },
  ]),
]

/** What the functions of the database guard, one condition at a time. */
export const ruleGuards: DatabaseGuard[] = [
  ...postRules,
  ...gatherRules,
  ...openRules,
  ...balancedRules,
  ...deliveryRules,
  ...factRules,
  ...sealRules('payment_event', {
    provider_event_id: 'text',
    direction: 'text',
    amount: 'bigint',
    account_number: 'text',
    virtual_account: 'text',
    bank_ref: 'text',
  }),
  ...sealRules('payment_event_body', {
    raw: 'bytea',
    memo: 'text',
    full_text: 'text',
    payer_account: 'text',
  }),
  ...trailRules,
  ...eraseRules,
]
