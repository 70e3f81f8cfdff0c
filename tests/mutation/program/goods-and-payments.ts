import { guardsIn, type ProgramGuard } from './guard.ts'

const M = 'src/server/modules'
const BUYING = `${M}/purchases`
const INBOX = `${M}/bank-inbox`

const ORDERED = `${M}/order-purchases`
const ORDERED_TEST = `${ORDERED}/order-purchases.db.test.ts`
const BUYING_TEST = `${ORDERED}/buying.db.test.ts`

/** What orders buy once they are paid. */
const ordered = [
  ...guardsIn(`${ORDERED}/order-purchases.queries.ts`, BUYING_TEST, {
    'what an order buys is bought once': [
      ` AND p.state = 'waiting' AND p.next_attempt_at IS NOT NULL\n       FOR UPDATE OF p`,
      '\n       FOR UPDATE OF p',
    ],
    'what an order buys is tried again after a pause': [
      ' AND ${isDue(sql`next_attempt_at`, PAUSE_MAX_SECONDS)}\n     AND',
      '\n     AND',
    ],
  }),
  ...guardsIn(`${ORDERED}/order-purchases.queries.ts`, ORDERED_TEST, {
    'an order leaves to others what they count on': ['greatest(0, p.amount - o.amount * o.rate)', '0'],
  }),
  ...guardsIn(`${ORDERED}/order-purchases.service.ts`, ORDERED_TEST, {
    'an order buys for whoever may trade': 'assertMayTrade({ ...player, debt: 0 }, now)',
    'an order buys for a character of the player’s own': `if (!character) throw new Refusal('CHARACTER_NOT_FOUND')`,
    'an order buys only what the wallet lacks TCoin for': 'if (missing <= 0) throw enoughCoins(free)',
    'an order asks for what is owed too': ['amount + player.debt - free', 'amount - free'],
  }),
  ...guardsIn(`${ORDERED}/buying.service.ts`, ORDERED_TEST, {
    'an order that was paid too late buys nothing': `if (due.isLate) return settleNotBought(deps, tx, { orderId, userId, due, reason: 'late' })`,
    'an order buys at no worse a price than was shown': ', least_receive: receive',
    'an order buys nothing while the exchange is closed':
      'await maintenanceGate(deps).assertOpen(storeExchange, null)',
  }),
  ...guardsIn(`${M}/recharge/order-status.service.ts`, ORDERED_TEST, {
    'a cancelled order buys nothing': 'await cancelPurchase(tx, code)',
  }),
  ...guardsIn(`${M}/recharge/order-status.service.ts`, BUYING_TEST, {
    'an order whose money was taken back buys nothing': 'await reopenPurchase(tx, reopened.orderId, status)',
  }),
  ...guardsIn(`${M}/recharge/placing.service.ts`, ORDERED_TEST, {
    'an order is for no less than it needs':
      'if (amount !== undefined && amount < needed) throw belowPurchase(needed)',
  }),
]

const deliveries = [
  ...guardsIn(
    `${BUYING}/purchase.service.ts`,
    [`${BUYING}/purchase.db.test.ts`, `${BUYING}/gifts.db.test.ts`, `${BUYING}/exchange.db.test.ts`],
    {
      'a purchase takes the right to trade': 'assertMayTrade(trader, clock.now())',
      'a purchase is for a character of the player’s own': `if (!character) throw new Refusal('CHARACTER_NOT_FOUND')`,
      'a purchase takes the TCoin':
        'if (trader.balance < amount) throw coinsMissing(amount - trader.balance)',
    },
  ),
  ...guardsIn(
    `${BUYING}/worker.queries.ts`,
    [`${BUYING}/worker.db.test.ts`, `${BUYING}/unreliable-game.db.test.ts`, `${BUYING}/lines.db.test.ts`],
    {
      'a lease that was lost writes nothing': `    .where('lease_token', '=', claim.leaseToken)\n`,
      'a lease that runs is not expired': ' AND ${isLeaseOver(sql`due.lease_until`, leaseSeconds)}',
      'a claimed delivery is not claimed again': [`SET state = 'sending', attempt`, `SET attempt`],
      'goods arrive in the order they were bought': [
        'AND (earlier.created_at, earlier.id) < (d.created_at, d.id)',
        'AND false',
      ],
      'a delivery waits for its next attempt': ' AND ${sql.ref(`${delivery}.next_attempt_at`)} <= now()',
      'nothing is set aside behind what is just ending': ' FOR SHARE OF earlier SKIP LOCKED',
      'what was set aside is woken even when its wake-up was lost': [
        'isDue: sql`due.waits_behind IS NOT NULL',
        'isDue: sql`false',
      ],
    },
  ),
  ...guardsIn(`${BUYING}/comparison.queries.ts`, `${BUYING}/comparison.db.test.ts`, {
    'one worker at a time asks about a page of a comparison': ' AND ${isDue(sql`lease_until`, leaseSeconds)}',
    'a page of a comparison is written once': [
      'reached_id IS NOT DISTINCT FROM ${reachedId}::uuid',
      'true OR ${reachedId}::uuid IS NULL',
    ],
  }),
  ...guardsIn(`${BUYING}/giving-again.service.ts`, `${BUYING}/comparison.db.test.ts`, {
    'goods are given again once': 'if (!(await lockGivable(tx, batch))) return false',
    'only what a comparison found missing is given again':
      'if (ids !== null && found.length < new Set(ids).size) throw notMissing()',
  }),
  ...guardsIn(`${BUYING}/deliveries.service.ts`, `${BUYING}/comparison.db.test.ts`, {
    'goods given again refund no TCoin': ['if (isFree(held.kind)) {\n', `if (held.kind === 'reward') {\n`],
  }),
  ...guardsIn(`${BUYING}/deliveries.service.ts`, `${BUYING}/rewards.db.test.ts`, {
    'a refused reward may be had again': `if (held.kind === 'reward') await voidReward(tx, held.id)`,
  }),
  ...guardsIn(`${BUYING}/worker.service.ts`, `${BUYING}/comparison.db.test.ts`, {
    'goods that the game has again are not given again': [
      'claimed.replaces === null ? null : await withoutNeed(deps, claimed, attempts)',
      'null',
    ],
  }),
  ...guardsIn(`${BUYING}/collection.queries.ts`, `${BUYING}/collection.db.test.ts`, {
    'the game is asked by one worker at a time': ' FOR UPDATE SKIP LOCKED',
    'what was collected stays so': [
      `    .where('collected_at', 'is', null)\n    .executeTakeFirst()`,
      `    .executeTakeFirst()`,
    ],
    'a game that does not tell is not asked again': ['${tellsCollection} IS NOT FALSE', 'true'],
  }),
  ...guardsIn(
    `${BUYING}/worker.service.ts`,
    [`${BUYING}/unreliable-game.db.test.ts`, `${BUYING}/worker.db.test.ts`, `${BUYING}/lines.db.test.ts`],
    {
      'the end of a delivery wakes the next of its character': 'await wakeNext(tx, claimed.id)',
      'what may have arrived is queried before it is sent again': [
        'if (claimed.wasUnknown) {',
        'if (claimed.wasUnknown && claimed.attempt < 0) {',
      ],
      'what the game has is not sent again': `if (known.kind !== 'not-applied') return known`,
      'a delivery that was taken over moves nothing': `if (!held) return 'taken over'`,
    },
  ),
  ...guardsIn(
    `${BUYING}/deliveries.queries.ts`,
    [`${BUYING}/deliveries.db.test.ts`, `${BUYING}/operator.db.test.ts`],
    {
      'an operator’s act locks the delivery': [
        `    .forUpdate()\n    .executeTakeFirst()\n  return row && toHeld(row)`,
        `    .executeTakeFirst()\n  return row && toHeld(row)`,
      ],
    },
  ),
  ...guardsIn(
    `${BUYING}/operator.service.ts`,
    [
      `${BUYING}/deliveries.db.test.ts`,
      `${BUYING}/operator.db.test.ts`,
      `${BUYING}/unreliable-game.db.test.ts`,
    ],
    {
      'an ended delivery is not ended again': [
        'if (isOver(held.state)) return',
        `if (held.id === '') return`,
      ],
      'nothing is refunded without the game’s word': `if (answer.kind === 'unknown') throw gameDoesNotAnswer()`,
      'what the game does not know is not settled': `if (known === 'not-applied') throw gameKnowsNothing()`,
      'what the game cancelled is not settled': `if (known === 'cancelled') throw gameCancelled()`,
    },
  ),
]

const inbox = [
  ...guardsIn(
    `${INBOX}/intake/settlement.queries.ts`,
    [
      `${INBOX}/intake/settlement-once.db.test.ts`,
      `${INBOX}/intake/settlement.db.test.ts`,
      `${INBOX}/intake/sepay.db.test.ts`,
    ],
    {
      'an event is decided once': `    .where('event.status', '=', 'new')\n`,
      'an event is decided by one process': `    .forNoKeyUpdate('event')\n    .skipLocked()\n`,
      'stale events are not settled': [
        `\${signature === 'stale' ? 'stale' : (decided?.status ?? 'new')}`,
        `\${decided?.status ?? 'new'}`,
      ],
      'who decides about a reference takes turns': [', turnUnderReference(event).as(', `, sql\`NULL\`.as(`],
      'the sweeper leaves events to their request': [
        '.where(isPast(sql`received_at`, graceSeconds))',
        '.where(isPast(sql`received_at`, 0))',
      ],
    },
  ),
  ...guardsIn(
    `${INBOX}/intake/settlement.service.ts`,
    [
      `${INBOX}/intake/settlement-once.db.test.ts`,
      `${INBOX}/intake/settlement.db.test.ts`,
      `${INBOX}/intake/sepay.db.test.ts`,
    ],
    {
      'a stored event is not decided by its repeat': [
        '    await takeInAgain(deps, stored)\n    return false\n',
        `    throw new Error('repeat')\n`,
      ],
      'a known transfer is looked for before one is credited': ['toReports(player.reports)', 'toReports([])'],
      'a paid order is known as paid': [
        'creditedTransfers: order.credited > 0 ? 1 : 0',
        'creditedTransfers: 0',
      ],
    },
  ),
  ...guardsIn(`${M}/traders/traders.service.ts`, `${INBOX}/intake/settlement-once.db.test.ts`, {
    'the wallet is locked before its debt is read': [
      `  await lockWallet(tx, userId)\n  const row = await selectNotifiedTrader(`,
      `  const row = await selectNotifiedTrader(`,
    ],
  }),
  ...guardsIn(`${M}/recharge/recharge.queries.ts`, `${INBOX}/intake/settlement-once.db.test.ts`, {
    'the order is locked before it is paid': [
      `    .where('code', '=', code)\n    .forUpdate()\n`,
      `    .where('code', '=', code)\n`,
    ],
  }),
  ...guardsIn(
    `${INBOX}/operator/bank-transfers.queries.ts`,
    [
      `${INBOX}/operator/acts.db.test.ts`,
      `${INBOX}/operator/second-person.db.test.ts`,
      `${INBOX}/crediting/reversals.db.test.ts`,
    ],
    {
      'operators take turns on a transfer': `    .forNoKeyUpdate()\n`,
    },
  ),
  ...guardsIn(
    `${INBOX}/operator/bank-transfers.service.ts`,
    [
      `${INBOX}/operator/acts.db.test.ts`,
      `${INBOX}/operator/second-person.db.test.ts`,
      `${INBOX}/gateway-refunds/gateway-refunds.db.test.ts`,
    ],
    {
      'money that left is not credited': `if (transfer.direction === 'out') throw notIncoming()`,
      'a decided transfer is not decided again': `if (transfer.state !== 'review' && transfer.state !== 'ignored') throw alreadyHandled()`,
      'what waits for a second person waits': ['throw waitsForSecondPerson()', 'void 0'],
      'what MoMo is processing waits': ['throw waitsForMomo()', 'void 0'],
    },
  ),
  ...guardsIn(`${M}/reconciliation/daily-close.queries.ts`, `${M}/reconciliation/daily-close.db.test.ts`, {
    'a list that was read before its day was over compares nothing': ' AND read_at >= ${bounds.until}',
  }),
  ...guardsIn(`${M}/reconciliation/daily-close.rules.ts`, `${M}/reconciliation/daily-close.rules.test.ts`, {
    'a day without a statement is not green': [`if (figures.bank_in_count !== null) return`, `return`],
  }),
]

const REWARDED = [`${M}/check-in/check-in.db.test.ts`, `${M}/milestones/milestones.db.test.ts`]
const rewards = [
  ...guardsIn(`${BUYING}/rewards.service.ts`, REWARDED, {
    'a reward takes the right to trade': 'assertMayTrade(player, deps.clock.now())',
    'a reward is for a character of the player’s own': [
      `if (!character) throw new Refusal('CHARACTER_NOT_FOUND')`,
      `if (!character) return { answer: {} as never, resultType: 'delivery', resultId: '' }`,
    ],
    'a reward that was given is not recorded again': 'if (id === null) throw taken()',
  }),
  ...guardsIn(`${M}/check-in/check-in.service.ts`, `${M}/check-in/check-in.db.test.ts`, {
    'a check-in that is off gives nothing': ['isCheckInEnabled ? checkInGoods : null', 'checkInGoods'],
    'a day of check-in is one of Vietnam': [
      `const day = vietnamDayOf(deps.clock.now().getTime())\n    const goods`,
      `const day = deps.clock.now().toISOString().slice(0, 10)\n    const goods`,
    ],
  }),
  ...guardsIn(`${M}/milestones/milestones.service.ts`, `${M}/milestones/claims-max.db.test.ts`, {
    'a milestone is given to so many players only': [
      'if (!(await countClaim(tx, { userId: request.userId, stepId: id }))) throw usedUp()',
      'await countClaim(tx, { userId: request.userId, stepId: id })',
    ],
    'a milestone that is taken counts as given': [
      'count: (amount) => addGiven(tx, { ...promise, amount })',
      'count: () => Promise.resolve(void promise)',
    ],
  }),
  ...guardsIn(`${M}/milestones/milestones.service.ts`, `${M}/milestones/milestones.db.test.ts`, {
    'a milestone is given when it is reached': 'if (missing > 0) throw notReached(missing)',
  }),
  ...guardsIn(`${M}/milestones/milestones.queries.ts`, `${M}/milestones/milestones.db.test.ts`, {
    'a recharge that was taken back does not count': [` AND state = 'credited' AND`, ' AND'],
    'a recharge before the time does not count': ['AND coalesce(booked_at, created_at) >= ${startsAt}\n', ''],
    'a recharge after the time does not count': ['AND coalesce(booked_at, created_at) < ${endsAt}`', '`'],
    'a step is taken while its programme runs': [`AND p.state = 'running'\n       AND tstz`, 'AND tstz'],
    'a step is taken until the last moment for it': [
      '       AND tstzrange(p.starts_at, p.claims_until) @> ${now}::timestamptz',
      'AND ${now}::timestamptz IS NOT NULL',
    ],
    'a step is told by the money that reaches it': ' AND s.at > before.recharged',
    'a step is told while its programme runs': [`WHERE p.state = 'running' AND tstz`, 'WHERE tstz'],
    'a step is told until the last moment for it': [
      `p.state = 'running' AND tstzrange(p.starts_at, p.claims_until) @> \${now}::timestamptz`,
      `p.state = 'running' AND \${now}::timestamptz IS NOT NULL`,
    ],
    'money outside the time of a programme tells of no step': [
      'AND p.starts_at <= ${bookedAt}::timestamptz AND p.ends_at > ${bookedAt}::timestamptz',
      'AND ${bookedAt}::timestamptz IS NOT NULL',
    ],
  }),
  ...guardsIn(`${M}/milestones/programs.service.ts`, `${M}/milestones/milestones.db.test.ts`, {
    'a programme starts once': [
      `if (locked?.state !== 'planned') return`,
      'if (locked === undefined) return',
    ],
    'a programme starts before its end': `if (locked.isOver) return 'Thời gian của chương trình này đã qua hết'`,
  }),
  ...guardsIn(`${M}/traders/traders.queries.ts`, `${M}/milestones/milestones.db.test.ts`, {
    'a claim and a reversal take turns': [
      '    .forNoKeyUpdate()\n  await sendWithNext(tx, lock',
      '  await sendWithNext(tx, lock',
    ],
  }),
]

const fees = [
  ...guardsIn(`${M}/tournaments/charges.service.ts`, 'tests/db/tournament-charges.db.test.ts', {
    'a fee that was taken waits for a game that can give it back': [
      `answer === 'not-supported' && charge.is_taken`,
      `answer === 'not-supported' && charge.id === ''`,
    ],
    'a fee that a game without charges never took is not asked back for ever': [
      `answer === 'not-supported' && charge.is_taken`,
      `answer === 'not-supported'`,
    ],
  }),
  ...guardsIn(`${M}/game-bridge/embedded-game.client.ts`, `${M}/game-bridge/game-bridge.db.test.ts`, {
    'a fee is not taken after its refund': [
      `status === 'cancelled' || status === 'refunded'`,
      `status === 'cancelled'`,
    ],
    'a fee is given back once': [`await updateChargeRefunded(tx, id)`, ''],
    'a fee is not taken from who has less': [`luong < BigInt(charge.luong)`, 'luong < 0n'],
  }),
]

/** What is paid for and delivered once. */
export const goodsAndPaymentGuards: ProgramGuard[] = [
  ...deliveries,
  ...rewards,
  ...ordered,
  ...inbox,
  ...fees,
]
