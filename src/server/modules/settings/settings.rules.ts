import type * as z from 'zod/mini'
import {
  settingDefinitions,
  type operatorSettingSchema,
  type ReceivingAccount,
  type SettingKey,
} from '#contract/operator/settings.ts'

export type Stored = ReadonlyMap<string, string>

/** The text of a setting: what an operator stored, else the value of a new installation. */
export function settingText(stored: Stored, key: SettingKey): string {
  return stored.get(key) ?? settingDefinitions[key].initial
}

/** The settings as the code wants them. Texts were checked by their key's rule when they were stored. */
export function settingValues(stored: Stored) {
  const number = (key: SettingKey) => Number(settingText(stored, key))
  const account = (key: SettingKey): ReceivingAccount | null => {
    const text = settingText(stored, key)
    return text === '' ? null : (JSON.parse(text) as ReceivingAccount)
  }
  return {
    siteName: settingText(stored, 'site_name'),
    siteDescription: settingText(stored, 'site_description'),
    pixelId: settingText(stored, 'pixel_id'),
    activeFee: number('active_fee'),
    exchangeRate: number('exchange_rate'),
    exchangeBonusPercent: number('exchange_bonus'),
    exchangeAmounts: JSON.parse(settingText(stored, 'exchange_amounts')) as number[],
    rechargeRate: number('recharge_rate'),
    rechargeMin: number('recharge_min'),
    rechargeMax: number('recharge_max'),
    isTransferEnabled: settingText(stored, 'transfer_enabled') === '1',
    transferMin: number('transfer_min'),
    transferDailyLimit: number('transfer_daily_limit'),
    transferOtpLimit: number('transfer_otp_limit'),
    manualCreditLimit: number('manual_credit_limit'),
    bankAccounts: {
      momo: account('bank_account_momo'),
      vietcombank: account('bank_account_vietcombank'),
      acb: account('bank_account_acb'),
    },
  }
}

export type SettingValues = ReturnType<typeof settingValues>

/** What a browser may read: the public keys only. */
export function publicSettings(stored: Stored): Record<string, string> {
  return Object.fromEntries(
    (Object.keys(settingDefinitions) as SettingKey[])
      .filter((key) => settingDefinitions[key].isPublic)
      .map((key) => [key, settingText(stored, key)]),
  )
}

export type OperatorSetting = z.output<typeof operatorSettingSchema>

export function describeSetting(key: SettingKey, value: string): OperatorSetting {
  const { section, label, isPublic } = settingDefinitions[key]
  return { id: key, section, value, label, is_public: isPublic }
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key)
}
