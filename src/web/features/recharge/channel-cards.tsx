import { useId } from 'react'
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
      <legend className="mb-1.5 text-sm font-bold">{copy.channels}</legend>
      {/* Side by side, so that amounts and button are on the first screen of a phone. */}
      <div className="grid grid-cols-3 gap-2 sm:gap-3">
        {channels.map(({ channel, name, account_name }) => (
          <Choice
            key={channel}
            name="channel"
            value={channel}
            checked={channel === chosen}
            className="flex-col gap-1! px-0.5! py-2! text-center sm:p-3!"
            onChange={() => onChoose(channel)}
          >
            <ChannelMark channel={channel} className="h-7 w-10" />
            <span className="w-full min-w-0">
              <strong className="block text-[0.8125rem] leading-tight wrap-anywhere sm:text-base">
                {name}
              </strong>
              <span className="block truncate text-xs text-soft max-sm:sr-only">{account_name}</span>
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
