import { CHANNEL_ACB, CHANNEL_MOMO, CHANNEL_VIETCOMBANK } from '#contract/constants.ts'
import { bankOf, receivingBank } from '#contract/operator/banks.ts'
import type { ReceivingAccount } from '#contract/operator/setting-kinds.ts'

export type BankAccounts = {
  momo: ReceivingAccount | null
  vietcombank: ReceivingAccount | null
  acb: ReceivingAccount | null
}

export type OpenChannel = {
  channel: number
  name: string
  account: ReceivingAccount
  /** Paid at the gateway of a provider, which has an account of its own for us. */
  isGateway: boolean
  /** VND that one payment can bring at most. */
  maxVnd: number
}

const CHANNELS = [
  { channel: CHANNEL_MOMO, name: 'MoMo', key: 'momo' },
  { channel: CHANNEL_VIETCOMBANK, name: 'Vietcombank', key: 'vietcombank' },
  { channel: CHANNEL_ACB, name: 'ACB', key: 'acb' },
] as const

/** The channels an operator has given an account to receive on. */
export function openChannels(accounts: BankAccounts): OpenChannel[] {
  return CHANNELS.flatMap(({ channel, name, key }) => {
    const account = accounts[key]
    return account === null
      ? []
      : [
          {
            channel,
            name: receivingBank(name, account.bin),
            account,
            isGateway: false,
            maxVnd: Number.MAX_SAFE_INTEGER,
          },
        ]
  })
}

/** What is used of the checkout clients here. */
type Checkouts = readonly {
  channels: readonly number[]
  gateway: { channel: number; bin: string; number: string; maxVnd: number } | null
}[]

/** The channels players can choose. On a gateway's channel its account for us takes the place of our own. */
export function channelsNow({ checkouts }: { checkouts: Checkouts }, accounts: BankAccounts): OpenChannel[] {
  const gateways = checkouts.flatMap(({ gateway, channels }) =>
    gateway !== null && channels.includes(gateway.channel) ? [gateway] : [],
  )
  const open = openChannels(accounts).filter(
    ({ channel }) => !gateways.some((gateway) => gateway.channel === channel),
  )
  return [
    ...gateways.map(({ channel, bin, number, maxVnd }) => {
      const name = openChannels(accounts).find((own) => own.channel === channel)?.account.name
      const account = { bin, number, name: name ?? channelName(channel) }
      return { channel, name: channelName(channel), account, isGateway: true, maxVnd }
    }),
    ...open,
  ]
}

/** The bank that an order is paid to, by the BIN of its account: of an account stored by an older rule it may be another. */
export function bankNameOf({ channel, bin }: { channel: number; bin: string }): string {
  const name = CHANNELS.find((candidate) => candidate.channel === channel)?.name
  return name === undefined ? (bankOf(bin) ?? channelName(channel)) : receivingBank(name, bin)
}

export function channelName(channel: number): string {
  return CHANNELS.find((candidate) => candidate.channel === channel)?.name ?? 'Không rõ'
}
