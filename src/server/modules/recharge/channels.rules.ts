import { CHANNEL_ACB, CHANNEL_MOMO, CHANNEL_VIETCOMBANK } from '#contract/constants.ts'

/** An account money can be sent to. `reference` is what a MoMo wallet's own QR carries beside the account number. */
export type ReceivingAccount = { bin: string; number: string; name: string; reference?: string }

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

/** What MoMo takes in one payment. */
const MOMO_MAX_VND = 50_000_000
const MOMO_BIN = '971025'

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
      : [{ channel, name, account, isGateway: false, maxVnd: Number.MAX_SAFE_INTEGER }]
  })
}

/** The channels players can choose. At MoMo's gateway the merchant's account stands in for the wallet's. */
export function channelsNow(momoMerchant: string | null, accounts: BankAccounts): OpenChannel[] {
  const open = openChannels(accounts)
  if (momoMerchant === null) return open
  const name = accounts.momo?.name ?? 'MoMo'
  const gateway: OpenChannel = {
    channel: CHANNEL_MOMO,
    name: channelName(CHANNEL_MOMO),
    account: { bin: MOMO_BIN, number: momoMerchant, name },
    isGateway: true,
    maxVnd: MOMO_MAX_VND,
  }
  return [gateway, ...open.filter(({ channel }) => channel !== CHANNEL_MOMO)]
}

export function channelName(channel: number): string {
  return CHANNELS.find((candidate) => candidate.channel === channel)?.name ?? 'Ngân hàng'
}
