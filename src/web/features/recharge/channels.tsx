import { useId } from 'react'
import { CHANNEL_ACB, CHANNEL_MOMO, CHANNEL_VIETCOMBANK } from '#contract/constants.ts'
import type { RechargeChannel } from '#contract/recharge.ts'
import { Choice } from '#ui/choice.tsx'
import { rechargeCopy as copy } from '#web/features/recharge/recharge.copy.ts'

type ChannelProps = {
  channels: readonly RechargeChannel[]
  chosen: number | null
  error: string | undefined
  onChoose: (channel: number) => void
}

export function ChannelCards({ channels, chosen, error, onChoose }: ChannelProps) {
  const errorId = useId()
  return (
    <fieldset aria-describedby={error ? errorId : undefined} data-wrong={error ? '' : undefined}>
      <legend className="mb-1.5 text-sm font-bold">{copy.channels}</legend>
      {/* Side by side, so that amounts and button are on the first screen of a phone. */}
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(5.75rem,100%),1fr))] gap-2 sm:grid-cols-3 sm:gap-3">
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

type Mark = { text: string; ground: string; stroke: string }

/** The short names and colours that players know the channels by. The drawing is ours: their own marks are not ours to use. */
const marks: Record<number, Mark> = {
  [CHANNEL_MOMO]: { text: 'MoMo', ground: '#a50064', stroke: '#d45aa6' },
  [CHANNEL_VIETCOMBANK]: { text: 'VCB', ground: '#0b6b3a', stroke: '#62b489' },
  [CHANNEL_ACB]: { text: 'ACB', ground: '#0f4c9c', stroke: '#6fa3e6' },
}

const OTHER: Mark = { text: 'QR', ground: '#5c5149', stroke: '#bfb0a0' }

export function ChannelMark({ channel, className = 'h-10 w-14' }: { channel: number; className?: string }) {
  const { text, ground, stroke } = marks[channel] ?? OTHER
  return (
    <svg viewBox="0 0 56 40" aria-hidden="true" className={`shrink-0 ${className}`}>
      <path
        d="M7 1.5C22 .4 40 .6 50 1.8c3 .4 4.4 1.8 4.7 4.6.8 8.700 .7 18.400 0 27-.3 3-1.800 4.500-4.700 4.800-14 1.200-29 1.100-43 .1-3-.2-4.500-1.700-4.800-4.700-.8-9-.8-18.300 0-27.300C2.500 3.300 4 1.700 7 1.500Z"
        fill={ground}
      />
      <path
        d="M8 33c11-2.600 28-3.200 40-1.400"
        fill="none"
        stroke={stroke}
        strokeWidth="2.4"
        strokeLinecap="round"
      />
      <text
        x="28"
        y="25"
        textAnchor="middle"
        fontSize={text.length > 3 ? 15 : 17}
        fontWeight="700"
        fill="#fff"
      >
        {text}
      </text>
    </svg>
  )
}
