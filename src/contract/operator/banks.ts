import { BanksObject } from 'vietnam-qr-pay'

/** Of VietQR's public table, by BIN: what a payer's own bank shows. */
const NAMES = new Map(Object.values(BanksObject).map(({ bin, shortName }) => [bin, shortName]))

/** The bank of a BIN; null for one that no bank of the table has. */
export const bankOf = (bin: string): string | null => NAMES.get(bin) ?? null

/** Where a channel's money may arrive. A MoMo wallet's QR names MoMo itself, or the bank that keeps the wallet's account. */
export const CHANNEL_BINS = {
  MoMo: ['971025', '970454', '970426'],
  Vietcombank: ['970436'],
  ACB: ['970416'],
} as const

export type ChannelName = keyof typeof CHANNEL_BINS

export const isBinOf = (channel: ChannelName, bin: string): boolean =>
  CHANNEL_BINS[channel].some((one) => one === bin)

/** What a payer reads: the channel where the BIN is its own, else the bank that really gets the money. */
export const receivingBank = (channel: ChannelName, bin: string): string =>
  isBinOf(channel, bin) ? channel : (bankOf(bin) ?? `Ngân hàng có mã BIN ${bin}`)

/** A wallet's account number, by the BIN of its QR. */
const WALLET_NUMBERS: Readonly<Record<string, RegExp>> = {
  '971025': /^(?:PSP[0-9A-Z]{12,16}|0[35789]\d{8})$/,
  '970454': /^99MM[0-9A-Z]{6,15}$/,
  '970426': /^MOMO[0-9A-Z]{4,15}$/,
}

/** Banks also take virtual accounts and names for an account, with letters among their digits. */
const BANK_NUMBER = /^(?=(?:[A-Z]*\d){4})[0-9A-Z]{6,19}$/

export const isNumberAt = (bin: string, number: string): boolean =>
  (WALLET_NUMBERS[bin] ?? BANK_NUMBER).test(number)
