import { functionGuard, guardsIn, type ProgramGuard } from './guard.ts'

const M = 'src/server/modules'
const WALLET = `${M}/wallet`
const BUYING = `${M}/purchases`

/** What only transactions at the same moment can miss. */
const ledger: ProgramGuard[] = [
  functionGuard(
    'the ledger locks both accounts',
    ['ledger_post', ' FOR NO KEY UPDATE', ''],
    [`${WALLET}/wallet.db.test.ts`],
  ),
  functionGuard(
    'the ledger locks in the order of ids',
    ['ledger_post', 'IF p_debit < p_credit THEN', 'IF true THEN'],
    [`${WALLET}/guards.db.test.ts`],
  ),
  functionGuard(
    'a short stripe is filled by the others',
    ['ledger_post', 'IF is_short THEN', 'IF false THEN'],
    [`${WALLET}/stripes.db.test.ts`],
  ),
  ...guardsIn(`${WALLET}/wallet.service.ts`, `${WALLET}/wallet.db.test.ts`, {
    'a posting is a positive whole number': ['Number.isSafeInteger(amount) && amount > 0', 'true'],
    'too little TCoin is a refusal': `if (sqlState(error) === 'CN001') throw insufficientBalance()`,
  }),
]

const sentTogether = guardsIn(
  'src/server/platform/db/bounded-client.ts',
  'src/server/platform/db/bounded-client.db.test.ts',
  {
    'a statement that failed beside the commit fails the commit': [
      'answers.map(resultOf)',
      'answers.slice(-1).map(resultOf)',
    ],
  },
)

const IDEMPOTENCY = 'src/server/platform/idempotency/idempotency.ts'
const once = guardsIn(
  IDEMPOTENCY,
  [`${M}/transfers/transfers.db.test.ts`, 'src/server/platform/idempotency/stored-responses.db.test.ts'],
  {
    'an operation is done once for its key': [
      'if (!(await claim(tx, operation, hashOf(operation.body)))) {',
      'if (!(await claim(tx, operation, hashOf(operation.body))) && operation.key.length > 255) {',
    ],
    'a key is for one request': `if (!stored.request_hash.equals(hash)) throw new Refusal('KEY_REUSED')`,
    'an erased answer is not repeated': 'if (isErased(stored.response)) throw answerErased()',
    'an act above the limit is refused': [
      '    if (stored === undefined || operation === null) throw refusal\n',
      '    if (stored === undefined || operation === null) return runOnce(db, operation, { work: work as Work<Answer>, repeated: async (s) => s.response as Answer })\n',
    ],
  },
)

const transactions = guardsIn(
  'src/server/platform/db/transaction.ts',
  ['src/server/platform/db/database.db.test.ts', `${M}/transfers/transfers.db.test.ts`],
  {
    'a lost COMMIT is not tried again': ['throw new UnknownOutcome(error)', 'void error'],
    'what follows a commit does not undo its answer': ['void runAct(db, act)', 'await act.run(db)'],
    'what waits for a commit does not happen without it': [
      'acts.waiting.push({ name, run })',
      'run(undefined as never)',
    ],
  },
)

const commits = [
  ...guardsIn('src/server/platform/db/bounded-client.ts', 'src/server/platform/db/commits.db.test.ts', {
    'a COMMIT that no standby has is not told as done':
      'if (unconfirmed !== null) throw new UnknownOutcome(unconfirmed)',
    'what led to a rollback is what is reported': [
      'return this.#send([statement]).catch(() => leave(this, answer))',
      'return this.#send([statement])',
    ],
  }),
  ...guardsIn('src/server/platform/db/transaction.ts', 'src/server/platform/db/commits.db.test.ts', {
    'a write that failed is no answer': '(?=.*\\d)',
  }),
]

const trading = [
  ...guardsIn(
    `${M}/traders/traders.queries.ts`,
    [`${M}/transfers/transfers.db.test.ts`, `${BUYING}/purchase.db.test.ts`],
    {
      'a player’s trades take turns': `    .forNoKeyUpdate()\n`,
    },
  ),
  ...guardsIn(
    `${M}/traders/traders.service.ts`,
    [`${M}/transfers/transfers.db.test.ts`, `${BUYING}/exchange.db.test.ts`],
    {
      'two wallets are locked in one order': ['BigInt(first.walletId) < BigInt(second.walletId)', 'true'],
      'the banned do not trade': ['return trader.banUntil !== null && trader.banUntil > now', 'return false'],
      'who is not activated does not trade': `if (!trader.isActivated) throw new Refusal('NOT_ACTIVATED')`,
    },
  ),
  ...guardsIn(`${M}/traders/traders.service.ts`, `${M}/bank-inbox/crediting/reversals.db.test.ts`, {
    'who owes does not trade': 'if (trader.debt > 0) throw inDebt(trader.debt)',
  }),
  ...guardsIn(`${M}/traders/traders.service.ts`, `${M}/traders/activation.db.test.ts`, {
    'an account is activated once': `if (player.isActivated) throw new Refusal('ALREADY_ACTIVATED')`,
    'the fee is in the wallet': 'if (player.balance < fee) throw coinsMissing(fee - player.balance)',
  }),
  ...guardsIn(`${M}/transfers/transfers.rules.ts`, `${M}/transfers/transfers.db.test.ts`, {
    'the least that is transferred': 'if (amount < transferMin) throw belowMinimum(transferMin)',
    'the limit of a day': 'if (amount > left) throw overDailyLimit({ limit: transferDailyLimit, left })',
    'the payer has the amount': 'if (balance < amount) throw tooFewCoins(amount - balance)',
    'a fee is covered by the amount':
      'if (activationFee !== null && amount < activationFee) throw feeNotCovered(activationFee)',
  }),
  ...guardsIn(`${M}/transfers/transfers.service.ts`, `${M}/transfers/transfers.db.test.ts`, {
    'transfers can be closed': 'if (!settings.isTransferEnabled) throw transferDisabled()',
    'nobody pays themselves': 'if (usernameKey(payee) === usernameKey(sender.username)) throw payeeIsPayer()',
    'much TCoin takes a code': 'if (!isSpent) throw otpRequired(limit)',
    'much TCoin takes a verified phone': [
      'if (phone === null) throw phoneNotVerified(limit)',
      `if (phone === null) return`,
    ],
  }),
  ...guardsIn(`${M}/transfers/transfers.service.ts`, `${M}/transfers/payees.db.test.ts`, {
    'payees are looked up twenty an hour': [
      'await countLookUp(deps, { payerId, payee })\n  const found',
      'const found',
    ],
    'refused transfers count as look-ups':
      'if (error instanceof Refusal && revealsPayee && !isRecent) await countLookUp(deps, { payerId, payee })',
    'transfers end with the look-ups': [
      'isUsedUp && !isRecent ? await refusalOf(countLookUp(deps, { payerId, payee })) : null',
      'null',
    ],
    'only who may trade looks up payees': 'assertMayTrade(sender, clock.now())',
  }),
  ...guardsIn(
    'src/server/platform/limits/shared-limiter.ts',
    'src/server/platform/limits/shared-limiter.db.test.ts',
    {
      'calls at once are under one limit': ['counter.expire <= ${clockMs} +', 'counter.expire <= ${nowMs} +'],
    },
  ),
  ...guardsIn('src/server/platform/limits/shared-limiter.ts', `${M}/transfers/payees.db.test.ts`, {
    'a name beyond the limit does not pass by being looked up twice': [
      'await inTransaction(db, async (tx) => {\n    const limiter',
      'await db.connection().execute(async (tx) => {\n    const limiter',
    ],
  }),
]

const CODES = `${M}/gift-codes`
const GOODS_LIMITS = 'tests/db/goods-limits.db.test.ts'
const GIVING = `${M}/promotions`
const promotions = [
  ...guardsIn(`${GIVING}/bonuses.queries.ts`, `${GIVING}/bonuses.db.test.ts`, {
    'whoever draws on a budget takes turns': [
      'ORDER BY id FOR NO KEY UPDATE`.execute(tx)\n  const { rows }',
      'ORDER BY id`.execute(tx)\n  const { rows }',
    ],
    'only a promotion that runs promises': [`p.state = 'running' AND p.ends_at > now()`, 'p.ends_at > now()'],
    'a promotion promises within its time': ' AND p.starts_at <= now()',
    'a first recharge is promised until there was one':
      ' AND NOT (p.is_first_recharge AND ${hasRecharged(user)})',
    'a promise is kept while its money is checked': ` AND o.status <> 'review'`,
    'a promise is held until its time': ' AND b.hold_until <= clock_timestamp()',
  }),
  ...guardsIn(`${GIVING}/bonuses.service.ts`, `${GIVING}/bonuses.db.test.ts`, {
    'a bonus is for money paid in time': ['isInTime && !isTooLate ? grantFor', '!isTooLate ? grantFor'],
  }),
  ...guardsIn(`${GIVING}/bonuses.queries.ts`, `${GIVING}/unpaid.db.test.ts`, {
    'accounts that cost nothing hold nothing': [
      'NOT p.is_first_recharge AND (',
      'NOT p.is_first_recharge OR (',
    ],
    'unpaid orders hold no more than their share of a budget': [
      'WHERE p.budget_id IN (SELECT budget_id FROM promotion WHERE id',
      'WHERE p.id IN (SELECT id FROM promotion WHERE id',
    ],
    'the first recharge is decided when it is credited': [
      'b.is_first_recharge AND ${hasRecharged',
      'false AND ${hasRecharged',
    ],
  }),
  ...guardsIn(`${GIVING}/bonuses.service.ts`, `${GIVING}/unpaid.db.test.ts`, {
    'unpaid orders hold no more than their share': ['coins <= roomToHold(locked)', 'coins > 0'],
    'a conditional bonus is given while there is enough': ['coins <= 0 || coins > rest.total', 'coins <= 0'],
    'a conditional bonus is within the cap of its player': ['Math.min(wanted, rest.player)', 'wanted'],
  }),
  ...guardsIn(`${GIVING}/bonuses.service.ts`, `${GIVING}/reversals.db.test.ts`, {
    'a bonus is given once': [
      `if (bonus?.state !== 'held' && bonus?.state !== 'conditional') return null`,
      'if (bonus === undefined) return null',
    ],
  }),
  ...guardsIn('src/contract/promotion-rules.ts', `${GIVING}/bonuses.db.test.ts`, {
    'no more is given than was promised': [
      'Math.min(promised, bonusFor(terms, amountVnd, rate))',
      'bonusFor(terms, amountVnd, rate)',
    ],
  }),
  ...guardsIn(`${GIVING}/promotions.service.ts`, `${GIVING}/promotions.db.test.ts`, {
    'a promotion starts when its budget holds its cap': [
      'return locked.balance + funding < locked.capTotal',
      'return locked.balance < 0',
    ],
    'a promotion starts once': [
      `if (locked?.state !== 'planned') return`,
      'if (locked === undefined) return',
    ],
    'a promotion starts before its end': ['if (locked.isOver)', `if (locked.state === 'stopped')`],
  }),
  ...guardsIn(`${M}/proposals/campaigns.service.ts`, `${GIVING}/promotions.db.test.ts`, {
    'a campaign is stopped once': [`if (before.state === 'stopped')`, `if (id === '')`],
    'a campaign is planned before its end': [
      'if (Date.parse(endsAt) <= clock.now().getTime())',
      `if (endsAt === '')`,
    ],
    'what cannot be started any more is not started by an approval': [
      'if (refusal !== null) throw conflict(refusal)\n    const row',
      'const row',
    ],
  }),
  ...guardsIn(`${M}/purchases/rewards.service.ts`, `${M}/purchases/untakable-goods.db.test.ts`, {
    'no reward is given that the game does not take': [
      'assertTaken(catalogue, goods)\n  await count',
      'await count',
    ],
  }),
  ...guardsIn(`${M}/purchases/purchase.service.ts`, `${M}/purchases/untakable-goods.db.test.ts`, {
    'nothing is sold that the game does not take': 'assertTaken(catalogue, goods)',
  }),
  ...guardsIn(`${M}/gift-codes/batches.service.ts`, `${M}/purchases/untakable-goods.db.test.ts`, {
    'no code is planned with what the game does not take': `if (why !== null) throw invalidField('goods', why)`,
    'no code starts with what the game does not take': 'if (why !== null) return why',
  }),
  ...guardsIn(`${M}/milestones/programs.service.ts`, `${M}/purchases/untakable-goods.db.test.ts`, {
    'no milestone is planned with what the game does not take': `if (why !== null) throw invalidField('steps', why)`,
    'no milestone starts with what the game does not take': 'if (why !== null) return why',
  }),
  ...guardsIn(`${M}/audit/goods-limits.service.ts`, GOODS_LIMITS, {
    'promises of goods take turns': [
      'if (amount.luong + amount.loads === 0n) return null\n  await lockGoods(tx)',
      'if (amount.luong + amount.loads === 0n) return null',
    ],
    'the first of a day’s check-ins take turns': [
      `if (await isPromised(tx, open)) return 'full'
  // Another one may have made it while this one waited for its turn.
  await lockGoods(tx)`,
      `if (await isPromised(tx, open)) return 'full'`,
    ],
    'no more players check in than may': [
      `if (await takeGiven(tx, open)) return 'given'
  if (await isPromised(tx, open)) return 'full'
  // Another`,
      `if ((await takeGiven(tx, open)) || (await isPromised(tx, open))) return 'given'
  // Another`,
    ],
    'no check-in is above a limit of goods': [`if (why !== null) return 'limited'`, 'void why'],
    'goods that one person decides have a limit of their own': [`(isAlone ? above('alone') : null) ??`, ''],
    'goods of one operator in a day are limited': [`(operatorId === null ? null : above('operator')) ??`, ''],
    'goods of all operators in a day are limited': [`above('day') ??`, ''],
    'the budget of goods is limited': [`above('day') ??\n    above('budget')`, `above('day')`],
    'goods above a limit are not promised': 'if (why !== null) throw conflict(why)',
    'promised goods are counted': ['await insertPromise(tx, { given: NOTHING, ...promised })', ''],
  }),
  ...guardsIn(`${M}/proposals/campaigns.service.ts`, GOODS_LIMITS, {
    'a campaign above a limit of goods is not proposed': [
      'refused ?? (promise && (await whyGoodsLimited(tx, promise)))',
      'refused',
    ],
    'a campaign that one person decides is counted as such': [
      'isAlone: by.operatorId === proposedBy',
      'isAlone: false',
    ],
    'a stopped campaign counts what it gave': [
      `if (kind !== 'promotion') await endPromise(tx, { kind, subject: id })`,
      '',
    ],
  }),
  ...guardsIn(`${CODES}/batches.service.ts`, GOODS_LIMITS, {
    'no batch is made that may give more than one act': `if (above !== null) throw invalidField('goods', above)`,
  }),
  ...guardsIn(`${CODES}/redeeming.service.ts`, GOODS_LIMITS, {
    'a used gift code counts as given': [
      `count: (amount) => addGiven(tx, { kind: 'gift-codes', subject: batchId, amount })`,
      'count: () => Promise.resolve()',
    ],
  }),
  ...guardsIn(`${M}/milestones/programs.service.ts`, GOODS_LIMITS, {
    'no programme is planned that may give more than one act': `if (above !== null) throw invalidField('steps', above)`,
  }),
  ...guardsIn(`${M}/settings/changing.service.ts`, GOODS_LIMITS, {
    'no day of check-ins is set that is above the limit of one act': 'if (why !== null) return why',
  }),
  ...guardsIn(`${M}/purchases/giving-again.service.ts`, `${M}/purchases/comparison.db.test.ts`, {
    'goods above a limit are not given again': 'if (above !== null) throw conflict(above)',
    'goods given again are counted': [
      `await promiseGoods(tx, { kind: 'give-again', ...limited, ...given })`,
      'void given',
    ],
  }),
  ...guardsIn(`${M}/budgets/budgets.service.ts`, `${M}/budgets/budgets.db.test.ts`, {
    'a budget gives back no more than it holds': 'if (balance + amount < 0) throw holdsOnly(balance)',
  }),
]

const giftCodes = [
  ...guardsIn(`${CODES}/redeeming.queries.ts`, `${CODES}/redeeming.db.test.ts`, {
    'whoever uses a gift code takes turns': ['FOR NO KEY UPDATE OF b, c`', '`'],
    'only refused goods of a gift code are given again': [
      `                AND r.voided_at IS NULL)`,
      '                AND false)',
    ],
  }),
  ...guardsIn(`${CODES}/redeeming.service.ts`, `${CODES}/redeeming.db.test.ts`, {
    'a gift code takes the right to trade': 'assertMayTrade(player, clock.now())',
    'a gift code that is over gives nothing': `if (state === 'stopped' || isOver) throw codeRefused('CODE_ENDED')`,
    'an early gift code gives nothing': [`if (isEarly) throw`, `if (isEarly && isOver) throw`],
    'a gift code is for its server': [
      'if (serverId !== null && serverId !== own)',
      'if (serverId === own && own === null)',
    ],
    'each wrong gift code of an address is counted': [
      'if (refusal !== null) throw refusal\n  const code',
      'const code',
    ],
    'a right gift code is not counted as wrong': 'await limits.giveBack(WRONG_CODES_PER_ADDRESS, address)',
  }),
  ...guardsIn(`${CODES}/batches.service.ts`, `${CODES}/batches.db.test.ts`, {
    'only codes that are stored are shown': [
      'await Promise.all(codes.map(',
      'await Promise.all((stored = codes).map(',
    ],
    'a gift code starts when its budget holds the cost': [
      'account.balance + funding < cost',
      'account.balance < 0',
    ],
    'a gift code starts before its end': ['if (locked.isOver)', `if (locked.state === 'stopped')`],
    'a gift code starts once': [
      `if (locked?.state !== 'planned') return`,
      'if (locked === undefined) return',
    ],
    'a stopped gift code holds nothing': 'await release(tx, stopped.id)',
  }),
  ...guardsIn(`${CODES}/batches.queries.ts`, `${CODES}/redeeming.db.test.ts`, {
    'a gift code holds its TCoin until its end': ' AND ends_at <= clock_timestamp()',
  }),
]

const INVITING = `${M}/invitations`
const invitations = [
  ...guardsIn(`${INVITING}/invitations.service.ts`, `${INVITING}/invitations.db.test.ts`, {
    'an invitation is decided once': [`if (locked?.state !== 'waiting' || !locked.isDue) return\n`, '\n'],
    'an invitation takes a recharge that stands': [
      'if (wait !== 0) return markDue',
      'if (wait !== undefined && wait !== 0) return markDue',
    ],
    'an invitation takes an activated account': ['if (!invited.isActivated)', 'if (invited.isErased)'],
    'a doubtful invitation is reviewed': [
      'if (reasons.length > 0) return',
      'if (reasons.length > 99) return',
    ],
    'not every invitation of a month is rewarded': [`if (given >= perMonth) return 'month-full'`, ''],
    'an operator decides about an invitation in review': [
      `if (locked?.state !== 'review')`,
      'if (locked === undefined)',
    ],
    'an operator grants an invitation whose recharge stands': [
      'if ((await findRechargeWait(tx, id, invitation)) !== 0)',
      `if (id === '')`,
    ],
  }),
  ...guardsIn(`${INVITING}/invitations.queries.ts`, `${INVITING}/invitations.db.test.ts`, {
    'an invitation is compared with others of the inviter': [
      'ORDER BY invited_id DESC LIMIT ${COMPARED_MAX}',
      'ORDER BY invited_id DESC LIMIT 0 * ${COMPARED_MAX}',
    ],
    'an invitation waits for three days': [
      'greatest(0, ${hours * 3_600}::float8',
      'greatest(0, ${0 * hours}::float8',
    ],
  }),
]

/** Guards of balances, in the program and where transactions meet. */
export const moneyGuards: ProgramGuard[] = [
  ...ledger,
  ...sentTogether,
  ...once,
  ...commits,
  ...transactions,
  ...trading,
  ...promotions,
  ...giftCodes,
  ...invitations,
]
