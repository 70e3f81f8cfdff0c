import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { useQuery } from '#web/use-query.ts'
import type { AmountOption, Character } from '#contract/exchange.ts'
import { formatNumber } from '#contract/format.ts'
import { paths } from '#contract/pages.ts'
import { createOrder } from '#contract/recharge.ts'
import { Button, fieldBox } from '#ui/button.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { missingCopy, rechargeOf } from '#web/parts/amounts/missing-coins.tsx'
import { TextLink } from '#web/parts/navigation/links.tsx'
import { reportFailure } from '#web/parts/outcomes/report-outcome.ts'
import { useSession } from '#web/session/session-store.ts'
import { navigate } from '#web/navigation.tsx'
import { useSend } from '#web/parts/forms/use-send.ts'
import { exchangeQuery, rememberCharacter } from '#web/parts/purchase/own-characters.ts'
import { channelsQuery, rememberChannel, usualChannel } from '#web/parts/recharge/channel.ts'
import { Interrupted, retriedCall } from '#web/parts/sending/retried-call.tsx'
import { useSettings } from '#web/parts/settings/settings.ts'

const copy = {
  channel: 'Trả qua',
  pay: (vnd: string) => `Trả ${vnd} VND`,
  byQr: ' bằng QR',
  after: (luong: string, character: string) => `Tiền đến là ${luong} lượng tự vào nhân vật ${character}.`,
} as const

export type PayMissingProps = { character: Character; option: AmountOption; missing: number }

/** Pays by QR what the wallet lacks for luong, which then goes to the character by itself. */
export function PayMissing({ character, option, missing }: PayMissingProps) {
  const client = useQueryClient()
  const { user } = useSession()
  const { data: channels } = useQuery(channelsQuery)
  const rate = Math.max(1, Number(useSettings().recharge_rate ?? 1))
  const [picked, pick] = useState<number | null>(null)
  const usual = picked ?? usualChannel(channels ?? [])
  const chosen = channels?.find(({ channel }) => channel === usual) ?? channels?.[0]
  const { send, isSending } = useSend(createOrder, {
    call: retriedCall('recharge'),
    onDone: (order) => {
      rememberCharacter(character)
      rememberChannel(order.channel)
      void navigate(paths.order(order.code))
    },
    onFailed: (error) => {
      reportFailure(error)
      // The price has changed, or the game no longer knows the character: read both again.
      void client.invalidateQueries({ queryKey: exchangeQuery(user?.id ?? null).queryKey })
    },
  })
  const vnd = Math.max(chosen?.min ?? 0, Math.ceil(missing / rate))
  if (channels === undefined) return <Skeleton className="h-12 w-full" />
  // Not in one payment.
  if (chosen === undefined || vnd > chosen.max)
    return <TextLink to={rechargeOf(missing, rate)}>{missingCopy.recharge}&nbsp;→</TextLink>
  const { amount: expected_amount, receive } = option
  const purchase = { kind: 'exchange' as const, character_id: character.id, receive, expected_amount }
  return (
    <div className="space-y-2">
      <p className="text-sm text-soft max-lg:sr-only">{copy.after(formatNumber(receive), character.name)}</p>
      <div className="flex flex-wrap gap-2 lg:flex-col lg:items-stretch">
        {channels.length > 1 && (
          <select
            aria-label={copy.channel}
            className={`${fieldBox} min-w-0 border-line-strong max-lg:flex-[1_1_6.5rem]`}
            value={chosen.channel}
            onChange={({ target }) => pick(Number(target.value))}
          >
            {channels.map(({ channel, name }) => (
              <option key={channel} value={channel}>
                {name}
              </option>
            ))}
          </select>
        )}
        <Button
          className="min-h-12 flex-auto max-lg:px-3"
          isBusy={isSending}
          onClick={() => void send({ body: { channel: chosen.channel, purchase } })}
        >
          <span>
            {copy.pay(formatNumber(vnd))}
            {/* On a phone the channel stands beside it. */}
            <span className="max-lg:sr-only">{copy.byQr}</span>
          </span>
        </Button>
      </div>
      <Interrupted kind="recharge" />
    </div>
  )
}
