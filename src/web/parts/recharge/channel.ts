import type { listChannels, RechargeChannel } from '#contract/recharge.ts'
import { readStored, writeStored } from '#web/browser-storage.ts'
import { ownQuery } from '#web/query-client.ts'

export const channelsQuery = ownQuery<typeof listChannels>('/recharge/channels')

const KEY = 'last-channel'

/** The channel that is chosen before the player chooses one: the only one, or the last that was used here. */
export function usualChannel(channels: readonly RechargeChannel[]): number | null {
  const { channel: last } = readStored<{ channel: number }>(KEY)
  const usual = channels.length === 1 ? channels[0] : channels.find(({ channel }) => channel === last)
  return usual?.channel ?? null
}

export function rememberChannel(channel: number): void {
  writeStored(KEY, JSON.stringify({ channel }))
}
