import { guardsIn, type ProgramGuard } from './guard.ts'

const VENDORS = 'src/server/modules/payment-providers'
const OTP = 'src/server/modules/otp'
const GAME = 'src/game-server'

const signatures = [
  ...guardsIn('src/server/platform/values/crypto.ts', `${VENDORS}/sepay/notifications.test.ts`, {
    'a timed signature is the one over time and body': `if (!isRight) return 'bad'`,
    'an old timed signature is stale': [
      `offSeconds <= input.toleranceSeconds ? 'valid' : 'stale'`,
      `'valid'`,
    ],
    'a timed signature of the future is stale': [
      'Math.abs(input.now.getTime() / 1000 - Number(timestamp))',
      'input.now.getTime() / 1000 - Number(timestamp)',
    ],
    'a timed signature covers the time': ['.update(`${timestamp}.`)', `.update('.')`],
    'a timed signature covers the body': '.update(raw)',
    'an empty secret signs no time': `if (secret === '') throw new RangeError('an empty secret signs nothing')`,
    'an empty secret verifies nothing': [`secret.trim() !== ''`, 'true'],
  }),
  ...guardsIn(
    `${VENDORS}/provider-call.ts`,
    [
      `${VENDORS}/sepay/notifications.test.ts`,
      `${VENDORS}/constant-time.test.ts`,
      `${VENDORS}/momo/notifications.test.ts`,
      `${VENDORS}/casso/notifications.test.ts`,
    ],
    {
      'digits of a signature are compared': [
        `return isShaped && timingSafeEqual(Buffer.from(given, 'hex'), Buffer.from(digits, 'hex'))`,
        'return isShaped',
      ],
      'a secret sent along is compared': [
        '.map((secret) => timingSafeEqual(digest(secret), digest(given)))',
        '.map(() => true)',
      ],
      'an empty secret signs nothing': `if (secret === '') throw new RangeError('an empty secret signs nothing')`,
    },
  ),
  ...guardsIn(
    `${VENDORS}/sepay/notifications.ts`,
    [`${VENDORS}/sepay/notifications.test.ts`, 'tests/security/notifications.db.test.ts'],
    {
      'SePay: a signed notification is checked by its signature, whatever key stands beside it': [
        `if (notification.headers['x-sepay-signature'] === undefined)`,
        `if (notification.headers['authorization'] !== undefined)`,
      ],
      'SePay: the window of five minutes': ['const TOLERANCE_SECONDS = 300', 'const TOLERANCE_SECONDS = 600'],
      'SePay: the API key': [
        `verifyApiKey(oneHeader(notification, 'authorization'), keys.apiKeys) ? 'valid' : 'bad'`,
        `'valid'`,
      ],
    },
  ),
  ...guardsIn(`${VENDORS}/casso/notifications.ts`, `${VENDORS}/casso/notifications.test.ts`, {
    'Casso: a signed notification is checked by its signature, whatever token stands beside it': [
      `if (notification.headers['x-casso-signature'] === undefined)`,
      `if (notification.headers['secure-token'] !== undefined)`,
    ],
    'Casso: the window of five minutes': ['const TOLERANCE_SECONDS = 300', 'const TOLERANCE_SECONDS = 600'],
    'Casso: the plain token': [
      `isSecret(oneHeader(notification, 'secure-token') ?? '', tokens) ? 'valid' : 'bad'`,
      `'valid'`,
    ],
  }),
  ...guardsIn(`${VENDORS}/casso/notifications.ts`, `${VENDORS}/casso/notifications.test.ts`, {
    'Casso: the signature': `if (!isOneOf(digits, made)) return 'bad'`,
    'Casso: an old signature is stale': [
      `offSeconds <= input.toleranceSeconds ? 'valid' : 'stale'`,
      `'valid'`,
    ],
    'Casso: the time is signed': ['`${timestamp}.${text}`', 'text'],
  }),
  ...guardsIn(`${VENDORS}/momo/notifications.ts`, `${VENDORS}/momo/notifications.test.ts`, {
    'MoMo: the partner that we are': ' || body.partnerCode !== partnerCode',
    'MoMo: the amount is signed': `  'amount',\n`,
    'MoMo: the result is signed': `  'resultCode',\n`,
    'MoMo: the order is signed': `  'orderId',\n`,
  }),
  ...guardsIn(`${VENDORS}/payos/notifications.ts`, `${VENDORS}/payos/notifications.test.ts`, {
    'payOS: the signature': [
      'return isOneOf(\n    body.signature,',
      'return true || isOneOf(\n    body.signature,',
    ],
    'payOS: every field is signed': ['Object.keys(data).sort()', `Object.keys(data).sort().slice(1)`],
  }),
  ...guardsIn(`${OTP}/sms-signatures.ts`, [`${OTP}/sms-signatures.test.ts`, `${OTP}/sms.db.test.ts`], {
    'SMS: the digests are compared': [
      "return timingSafeEqual(Buffer.from(hex, 'hex'), digest)",
      'return true',
    ],
    'SMS: eSMS signs the text': ['${smsid}${content}', '${smsid}'],
    'SMS: 1pay signs the sender': `  'msisdn',\n`,
  }),
  ...guardsIn(
    'src/contract/game/signature.ts',
    [`${GAME}/game-server.test.ts`, 'tests/db/game-contract.db.test.ts'],
    {
      'game: the signature': [
        'return isRight && Math.abs(now / 1_000 - Number(seconds)) <= FRESH_SECONDS',
        'return Math.abs(now / 1_000 - Number(seconds)) <= FRESH_SECONDS',
      ],
      'game: the window of five minutes': [
        'return isRight && Math.abs(now / 1_000 - Number(seconds)) <= FRESH_SECONDS',
        'return isRight',
      ],
      'game: method and path are signed': ['${seconds}.${method}.${path}.', '${seconds}.'],
      'game: the body is signed': '.update(body)',
    },
  ),
  ...guardsIn(
    'src/server/modules/bank-inbox/intake/webhooks.service.ts',
    ['tests/security/notifications.db.test.ts', 'src/server/modules/bank-inbox/intake/sepay.db.test.ts'],
    {
      'nothing is taken in under a bad signature': [
        `if (signature === 'bad') {`,
        `if (signature === 'bad' && raw.length === 0) {`,
      ],
      'nothing is credited under a stale signature': [
        `if (signature === 'stale') {`,
        `if (signature === 'stale' && raw.length === 0) {`,
      ],
      'a stale event does not take the id of a fresh one': [
        'providerEventId: `${event.providerEventId}#stale`',
        'providerEventId: event.providerEventId',
      ],
    },
  ),
]

const MATCHING = 'src/server/modules/bank-inbox/matching/matching.rules.ts'
const matching = guardsIn(MATCHING, 'src/server/modules/bank-inbox/matching/matching.rules.test.ts', {
  'a test event is no money': `if (isTest) return 'test-ping'`,
  'outgoing money credits nobody': `if (event.direction === 'out') return 'outgoing'`,
  'money to another account credits nobody': `if (ourAccount(input) === undefined) return review('foreign-account')`,
  'a known transfer is not credited again': [`likeness.isCertain ? 'same-transfer' : undefined`, 'undefined'],
  'what may be a known transfer is reviewed': `if (input.likeness !== null) return review('reference-conflict')`,
  'two codes are reviewed': `if (another !== undefined) return review('two-codes')`,
  'an order is paid once': 'order.creditedTransfers > 0 || ',
  'a cancelled order is not credited': `if (order.status === 'cancelled') return 'order-cancelled'`,
  'an order in review is not credited': `if (order.status === 'review') return 'order-in-review'`,
  'money on another of our accounts is reviewed': [
    `return order.accountNumber === ourAccount(input) ? undefined : 'wrong-account'`,
    'return undefined',
  ],
  'only a MoMo order is paid at the gateway': `if (order.channel !== CHANNEL_MOMO) return 'wrong-account'`,
  'a payment answers the request of its order': [
    `return isAnswer ? undefined : 'wrong-request'`,
    'return undefined',
  ],
  'the erased are not credited': `if (order.userDeleted) return 'user-deleted'`,
  'the banned are not credited': [`return order.userBanned ? 'user-banned' : undefined`, 'return undefined'],
  'late money is reviewed': `if (paidAt - order.createdAt.getTime() > LATE_AFTER_MS) return 'too-late'`,
  'an expired order of another rate is reviewed': [
    `return isExpired && order.rate !== rate ? 'rate-changed' : undefined`,
    'return undefined',
  ],
  'another amount at the gateway is reviewed': `if (gateway !== null) return 'wrong-amount'`,
  'too little is reviewed': `if (event.amountVnd < limits.minVnd) return 'below-minimum'`,
  'too much is reviewed': [
    `return event.amountVnd > limits.maxVnd ? 'above-maximum' : undefined`,
    'return undefined',
  ],
})

const LIKENESS = 'src/server/modules/bank-inbox/matching/likeness.ts'
const likeness = guardsIn(LIKENESS, 'src/server/modules/bank-inbox/matching/likeness.test.ts', {
  'two orders are two transfers': [
    'return code !== known && orders.some((order) => order.code === code)',
    'return false',
  ],
  'another time or payer is another transfer': ['differing >= (isOneProvider ? 1 : 2)', 'differing > 2'],
  'one provider’s two ids are one transfer only when all agrees': [
    `(time === 'agrees' && memo === 'agrees') ? 'same' : 'doubt'`,
    `true ? 'same' : 'doubt'`,
  ],
  'another amount is a doubt': ['isAmountEqual && differing === 0', 'differing === 0'],
  'another memo is a doubt': [` && memo !== 'differs'`, ''],
  'an order is only one that exists': ['orders.some((order) => order.code === code)', 'true'],
  'another amount under a known id is told': '    known.amountVnd === again.amountVnd &&\n',
  'another memo under a known id is told':
    '    agree(plainLetters(known.memo), plainLetters(again.memo)) &&\n',
})

const settling = guardsIn(
  'src/server/modules/bank-inbox/intake/settlement.service.ts',
  'src/server/modules/bank-inbox/intake/notices.db.test.ts',
  {
    'the time of arrival tells no transfers apart': ['{ ...event, bookedAt: stored.toldAt }', 'event'],
  },
)

/** Who may say that money came, and what it is credited to. */
export const notificationGuards: ProgramGuard[] = [...signatures, ...matching, ...likeness, ...settling]
