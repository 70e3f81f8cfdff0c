import { useId } from 'react'
import { formatNumber } from '#contract/format-number.ts'
import type { RechargeChannel } from '#contract/recharge.ts'
import { Choice } from '#ui/choice.tsx'
import { ChannelMark } from '#web/features/recharge/channel-mark.tsx'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'

type Props = {
  channels: readonly RechargeChannel[]
  chosen: number | null
  error: string | undefined
  onChoose: (channel: number) => void
}

export function ChannelCards({ channels, chosen, error, onChoose }: Props) {
  const errorId = useId()
  return (
    <fieldset aria-describedby={error ? errorId : undefined} data-wrong={error ? '' : undefined}>
      <legend className="mb-2 text-sm font-bold">{copy.channels}</legend>
      <div className="grid gap-3 sm:grid-cols-2">
        {channels.map(({ channel, name, min, max, account_name }) => (
          <Choice
            key={channel}
            name="channel"
            value={channel}
            checked={channel === chosen}
            onChange={() => onChoose(channel)}
          >
            <ChannelMark channel={channel} />
            <span className="min-w-0">
              <strong className="block">{name}</strong>
              <span className="block text-sm text-soft">{account_name}</span>
              <span className="block text-sm text-balance text-soft">
                {copy.limits(formatNumber(min), formatNumber(max))}
              </span>
            </span>
          </Choice>
        ))}
      </div>
      {error && (
        <p id={errorId} role="alert" className="mt-1 text-sm text-vermilion">
          {error}
        </p>
      )}
    </fieldset>
  )
}
