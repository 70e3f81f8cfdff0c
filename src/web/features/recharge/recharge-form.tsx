import { useId, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import { useNavigate, useSearchParams } from '#web/navigation.tsx'
import { OPEN_ORDERS_MAX } from '#contract/constants.ts'
import { formatNumber } from '#contract/format.ts'
import { createOrder, type RechargeChannel } from '#contract/recharge.ts'
import { Button } from '#ui/button.tsx'
import { Coins } from '#ui/coins.tsx'
import { PageState } from '#ui/page-state.tsx'
import { Skeleton, Skeletons } from '#ui/skeleton.tsx'
import { LoadFailure } from '#web/parts/fallbacks/fallbacks.tsx'
import { requestedAmount, amountProblem, quickAmounts } from '#web/features/recharge/recharge-amount.ts'
import { TooManyOrders, usePendingOrders } from '#web/features/recharge/pending-orders.tsx'
import { orderQuery } from '#web/features/recharge/recharge.api.ts'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'
import { paths } from '#contract/pages.ts'
import { isBanned, useSession } from '#web/session/session-store.ts'
import { AmountField } from '#web/parts/amounts/amount-field.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'
import { Form } from '#client/forms/form.tsx'
import { retriedCall, Interrupted } from '#web/parts/sending/retried-call.tsx'
import { useSendForm } from '#web/parts/forms/use-send.ts'
import { ChannelCards } from '#web/features/recharge/channels.tsx'
import { lazyComponent } from '#web/load-chunk.tsx'
import type { PromotionNoteProps } from '#web/features/recharge/promotion-note.tsx'
import { channelsQuery, rememberChannel, usualChannel } from '#web/parts/recharge/channel.ts'

/** Only read where there is a promotion. */
const PromotionNote = lazyComponent<PromotionNoteProps>(
  () => import('#web/features/recharge/promotion-note.tsx').then((part) => part.PromotionNote),
  { failed: copy.promotionFailed },
)

export function RechargeForm() {
  const { user } = useSession()
  const { data: channels, isError, refetch } = useQuery(channelsQuery)
  if (user && isBanned(user)) return <PageState title={copy.bannedTitle} text={copy.bannedText} />
  if (isError) return <LoadFailure onRetry={refetch} />
  if (!channels) return <FormSkeleton />
  if (channels.length === 0) return <PageState title={copy.noChannels} text={copy.noChannelsMore} />
  return <OpenForm channels={channels} />
}

function OpenForm({ channels }: { channels: readonly RechargeChannel[] }) {
  const form = useRechargeForm(channels)
  const { channel, amount } = form.values
  const { pending } = usePendingOrders()
  const tooManyId = useId()
  const isTooMany = pending.length >= OPEN_ORDERS_MAX
  const limits = limitsOf(channels, channel)
  const valid = amountProblem(amount, limits) ? null : amount
  return (
    <Form form={form}>
      <ChannelCards
        channels={channels}
        chosen={channel}
        error={form.error('channel')}
        onChoose={(chosen) => form.set('channel', chosen)}
      />
      <div className="space-y-3">
        <QuickAmounts
          amounts={quickAmounts(limits)}
          amount={amount}
          onChoose={(chosen) => form.set('amount', chosen)}
        />
        <AmountField
          {...form.amount('amount')}
          label={copy.amount}
          placeholder={copy.amountPlaceholder}
          hint={copy.limits(formatNumber(limits.min), formatNumber(limits.max))}
        />
      </div>
      {channels.some(({ promotions }) => promotions.length > 0) && (
        <PromotionNote {...{ channels, channel }} amount={valid} />
      )}
      <Interrupted kind="recharge" />
      <TooManyOrders id={tooManyId} count={pending.length} />
      <div className={`flex flex-wrap items-center gap-3 lg:gap-6 lg:pt-2 ${isTooMany ? '' : 'action-bar'}`}>
        <Result amount={valid} />
        <Button
          type="submit"
          isBusy={form.isSending}
          disabled={isTooMany}
          aria-describedby={isTooMany ? tooManyId : undefined}
          className="min-h-12 min-w-36 grow lg:min-w-48 lg:grow-0"
        >
          {copy.create}
        </Button>
      </div>
    </Form>
  )
}

function useRechargeForm(channels: readonly RechargeChannel[]) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [address] = useSearchParams()
  const limits = widest(channels)
  const [start] = useState(() => ({
    channel: usualChannel(channels),
    amount: requestedAmount(address.get('amount'), limits),
  }))
  return useSendForm(createOrder, {
    start,
    check: ({ channel, amount }) => ({
      channel: channel === null ? copy.channelMissing : undefined,
      amount: amountProblem(amount, limitsOf(channels, channel)),
    }),
    call: retriedCall('recharge'),
    onDone: (order) => {
      rememberChannel(order.channel)
      client.setQueryData(orderQuery(order.code).queryKey, order)
      void navigate(paths.order(order.code))
    },
  })
}

/** Before a channel is chosen the widest limits hold, so that an amount can be checked already. */
function limitsOf(channels: readonly RechargeChannel[], chosen: number | null) {
  return channels.find(({ channel }) => channel === chosen) ?? widest(channels)
}

function widest(channels: readonly RechargeChannel[]) {
  return {
    min: Math.min(...channels.map(({ min }) => min)),
    max: Math.max(...channels.map(({ max }) => max)),
  }
}

type QuickProps = { amounts: readonly number[]; amount: number | null; onChoose: (amount: number) => void }

function QuickAmounts({ amounts, amount, onChoose }: QuickProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-bold">{copy.amounts}</legend>
      <div className="grid grid-cols-3 gap-2 sm:grid-cols-6 lg:grid-cols-3 xl:grid-cols-6">
        {amounts.map((offered) => (
          <Button
            key={offered}
            kind="plain"
            aria-pressed={offered === amount}
            className="px-1 tabular-nums aria-pressed:border-vermilion aria-pressed:bg-wash aria-pressed:ring-2 aria-pressed:ring-vermilion"
            onClick={() => onChoose(offered)}
          >
            {formatNumber(offered)}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

/** What the amount brings, and at which rate: known before anything is paid. */
function Result({ amount }: { amount: number | null }) {
  const { recharge_rate: rate = '1', exchange_bonus: bonus = '0' } = useSettings()
  return (
    <output className="min-w-0 flex-[1_1_7rem] lg:flex-none">
      <span className="flex min-h-6 flex-wrap items-center gap-x-2">
        {copy.youGet}
        {amount === null ? (
          <span className="text-soft">—</span>
        ) : (
          <Coins>{formatNumber(amount * Number(rate))}</Coins>
        )}
      </span>
      <span className="block text-xs text-soft sm:text-sm">
        {[copy.rate(formatNumber(Number(rate))), ...(bonus === '0' ? [] : [copy.bonus(bonus)])].join(' · ')}
      </span>
    </output>
  )
}

export function FormSkeleton() {
  return (
    <div aria-busy="true" className="min-h-[34rem] space-y-4">
      <Skeletons count={3} each="h-17 w-full" className="grid grid-cols-3 gap-2 sm:gap-3" />
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-12 w-full" />
    </div>
  )
}
