import { useState } from 'react'
import { storeExchange, type AmountOption } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format.ts'
import { Choice } from '#ui/choice.tsx'
import { Coins } from '#ui/coins.tsx'
import { PageState } from '#ui/page-state.tsx'
import { exchangeCopy as copy } from '#web/features/exchange/exchange.copy.ts'
import { patchUser, useSession } from '#web/session/session-store.ts'
import { useAddressed, type OwnCharacters } from '#web/parts/purchase/own-characters.ts'
import { purchaseCopy } from '#web/parts/purchase/purchase.copy.ts'
import { BestMark, unaffordableClass, bestValue } from '#web/parts/purchase/options.tsx'
import type { PayMissingProps } from '#web/parts/purchase/pay-missing.tsx'
import { PurchaseForm } from '#web/parts/purchase/purchase-form.tsx'
import { lazyComponent } from '#web/load-chunk.tsx'
import { Section } from '#ui/section.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { Delivery } from '#contract/deliveries.ts'
import { paths } from '#contract/pages.ts'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { DeliveryRow } from '#web/parts/deliveries/delivery-row.tsx'
import { useRecentDeliveries } from '#web/parts/deliveries/delivery-watch.ts'

/** Only read where TCoin are missing. */
const PayMissing = lazyComponent<PayMissingProps>(
  () => import('#web/parts/purchase/pay-missing.tsx').then((part) => part.PayMissing),
  { waiting: <Skeleton className="h-12 w-full" />, failed: copy.payMissingFailed },
)

type Props = { amounts: readonly AmountOption[]; own: OwnCharacters }

export function ExchangeForm({ amounts, own }: Props) {
  const [picked, setAmount] = useState<number | null>(null)
  const wanted = useAddressed('amount')
  const amount = picked ?? Number(wanted)
  return (
    <PurchaseForm
      endpoint={storeExchange}
      kind="exchange"
      goodsOf={({ receive }) => [{ kind: 'luong', quantity: receive }]}
      words={copy}
      own={own}
      renderCards={(className) => (
        <AmountChoice amounts={amounts} chosen={amount} className={className} onChoose={setAmount} />
      )}
      chosen={amounts.find((offered) => offered.amount === amount)}
      figuresOf={(option) => [
        { label: purchaseCopy.pay, text: option ? formatNumber(option.amount) : null, isCoins: true },
        { label: copy.get, text: option ? copy.luong(formatNumber(option.receive)) : null },
      ]}
      bodyOf={(character_id, { amount: paid, receive }) => ({
        character_id,
        amount: paid,
        expected_receive: receive,
      })}
      renderMissing={(character, option, missing) => <PayMissing {...{ character, option, missing }} />}
      renderBeside={(boughtAt_ms) => <RecentDeliveries boughtAt_ms={boughtAt_ms} />}
      className="min-h-svh content-start"
      onBought={({ balance, balance_version }) => {
        setAmount(0)
        patchUser({ balance, balance_version })
      }}
    />
  )
}

type AmountProps = {
  amounts: readonly AmountOption[]
  chosen: number
  className: string
  onChoose: (amount: number) => void
}

function AmountChoice({ amounts, chosen, className, onChoose }: AmountProps) {
  const { user } = useSession()
  const best = bestValue(amounts, ({ receive }) => receive)
  if (amounts.length === 0) return <PageState title={copy.noAmounts} />
  return (
    <fieldset className={className}>
      <legend className="mb-2 text-lg font-bold sm:mb-3 sm:text-xl">{copy.amounts}</legend>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {amounts.map((option) => {
          const { amount, receive } = option
          return (
            <Choice
              key={amount}
              name="amount"
              value={amount}
              checked={amount === chosen}
              className={`flex-col justify-center gap-0.5! text-center ${unaffordableClass(user, amount)}`}
              onChange={() => onChoose(amount)}
            >
              <strong className="text-[1.0625rem] whitespace-nowrap">
                {copy.luong(formatNumber(receive))}
              </strong>
              <Coins className="text-sm">{formatNumber(amount)}</Coins>
              {option === best && <BestMark />}
            </Choice>
          )
        })}
      </div>
    </fieldset>
  )
}

const SHOWN = 5

/** The last purchases and their states; nothing before the first one. */
function RecentDeliveries({ boughtAt_ms }: { boughtAt_ms: number }) {
  const { status } = useSession()
  const { data } = useRecentDeliveries({ isPlayer: status === 'player', boughtAt_ms })
  const exchanges = data?.data.filter(({ kind }) => kind === 'exchange').slice(0, SHOWN) ?? []
  if (status !== 'player' || exchanges.length === 0) return null
  return (
    <Section title={copy.deliveries}>
      <ul className="divide-y divide-line rounded-xl border border-line bg-raised">
        {exchanges.map((delivery) => (
          <li key={delivery.id} className="px-4 py-3 hover:bg-sunken">
            <DeliveryRow delivery={delivery}>
              {copy.deliveryOf(formatNumber(luongOf(delivery)), delivery.character_name)}
            </DeliveryRow>
          </li>
        ))}
      </ul>
      <TextLink to={paths.deliveries()}>{purchaseCopy.toDeliveries}&nbsp;→</TextLink>
    </Section>
  )
}

function luongOf({ goods }: Delivery): number {
  return goods.reduce((sum, { kind, quantity }) => (kind === 'luong' ? sum + quantity : sum), 0)
}
