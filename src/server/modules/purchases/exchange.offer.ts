import type { BodyOf } from '#contract/endpoint.ts'
import type { storeExchange } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format.ts'
import { invalidField } from '#server/platform/values/errors.ts'
import { amountsOnOffer } from './exchange.rules.ts'
import { assertAsShown, type Offer } from './offer.ts'
import { exchangeOrder } from './offers.queries.ts'

/** Luong for TCoin, at the terms of the settings. */
export const exchangeOffer = {
  kind: 'exchange',
  keyScope: 'exchange',
  async price(_tx, { userId, settings }, body) {
    const option = amountsOnOffer(settings).find(({ amount }) => amount === body.amount)
    if (!option) {
      throw invalidField('amount', 'Mệnh giá này hiện không được đổi, vui lòng chọn mệnh giá khác')
    }
    const { amount, receive } = option
    assertAsShown(body.expected_receive, receive, option)
    return {
      amount,
      goods: [{ kind: 'luong', quantity: receive }],
      record: (db, deliveryId) =>
        exchangeOrder(db, {
          delivery_id: deliveryId,
          user_id: userId,
          amount,
          rate: settings.exchangeRate,
          bonus_percent: settings.exchangeBonusPercent,
          receive,
        }),
      words: {
        bought: `đổi ${formatNumber(amount)} TCoin lấy ${formatNumber(receive)} lượng`,
        arriving: 'Lượng',
      },
    }
  },
} as const satisfies Offer<BodyOf<typeof storeExchange>>
