import { useEffect } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import type { OrderPurchase } from '#contract/recharge.ts'
import { NOT_BOUGHT } from '#contract/recharge/not-bought.ts'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'
import { useReceipt } from '#web/parts/deliveries/delivery-watch.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'

export type PurchasePartProps = { code: string; purchase: OrderPurchase }

/** What a paid order has bought, or why it has not. */
export function PurchasePart({ code, purchase }: PurchasePartProps) {
  const luong = formatNumber(purchase.receive)
  const { character_name: character, delivery, reason } = purchase
  if (reason !== undefined) {
    return (
      <p className="text-[0.9375rem]">
        <strong className="wrap-anywhere">{copy.notBought(luong, character)}</strong> {NOT_BOUGHT[reason]}{' '}
        {copy.coinsKept}
      </p>
    )
  }
  return (
    <div className="text-[0.9375rem]">
      <strong className="wrap-anywhere">{copy.bought(luong, character)}</strong>
      {delivery ? (
        <Followed code={code} delivery={delivery} />
      ) : (
        <p className="min-h-11 py-2 text-soft">{copy.buying}</p>
      )}
    </div>
  )
}

type FollowedProps = { code: string; delivery: NonNullable<OrderPurchase['delivery']> }

/** The order is read again when its goods have arrived. */
function Followed({ code, delivery: { id, status } }: FollowedProps) {
  const client = useQueryClient()
  const { receipt } = useReceipt(id)
  const isChanged = receipt !== undefined && receipt.status !== status
  useEffect(() => {
    if (isChanged) void client.invalidateQueries({ queryKey: orderQuery(code).queryKey })
  }, [client, code, isChanged])
  return (
    <p>
      <TextLink to={paths.deliveries(id)}>{copy.toReceipt}&nbsp;→</TextLink>
    </p>
  )
}
