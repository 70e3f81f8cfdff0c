import { CHANNEL_ACB, CHANNEL_MOMO, CHANNEL_VIETCOMBANK } from '#contract/constants.ts'

/** An account money can be sent to. The last two are what a MoMo wallet's own QR carries beside the account number. */
export type ReceivingAccount = {
  bin: string
  number: string
  name: string
  reference?: string
  phone_tail?: string
}

export type BankAccounts = {
  momo: ReceivingAccount | null
  vietcombank: ReceivingAccount | null
  acb: ReceivingAccount | null
}

export type OpenChannel = { channel: number; name: string; account: ReceivingAccount }

const CHANNELS = [
  { channel: CHANNEL_MOMO, name: 'MoMo', key: 'momo' },
  { channel: CHANNEL_VIETCOMBANK, name: 'Vietcombank', key: 'vietcombank' },
  { channel: CHANNEL_ACB, name: 'ACB', key: 'acb' },
] as const

/** The channels an operator has given an account to receive on. */
export function openChannels(accounts: BankAccounts): OpenChannel[] {
  return CHANNELS.flatMap(({ channel, name, key }) => {
    const account = accounts[key]
    return account === null ? [] : [{ channel, name, account }]
  })
}

export function channelName(channel: number): string {
  return CHANNELS.find((candidate) => candidate.channel === channel)?.name ?? 'Ngân hàng'
}
