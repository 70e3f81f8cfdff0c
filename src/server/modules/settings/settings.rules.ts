import type { OperatorSetting } from '#contract/operator/setting-calls.ts'
import type { ReceivingAccount } from '#contract/operator/setting-kinds.ts'
import { type SettingDefinition, settingDefinitions, type SettingKey } from '#contract/operator/settings.ts'
import { readCalendar } from '#contract/operator/rewards/goods.ts'
import type { GoodsPrices } from '#contract/operator/rewards/goods-worth.ts'

/** Their texts by key. */
type Texts = ReadonlyMap<string, { value: string }>
export type Stored = ReadonlyMap<string, { value: string; updatedAt: Date }>

/** The text of a setting: what an operator stored, else the value of a new installation. */
export function settingText(stored: Texts, key: SettingKey): string {
  return stored.get(key)?.value ?? settingDefinitions[key].initial
}

/** The settings as typed values. Texts were checked by their key's rule when they were stored. */
export function settingValues(stored: Texts) {
  const number = (key: SettingKey) => Number(settingText(stored, key))
  const account = (key: SettingKey): ReceivingAccount | null => {
    const text = settingText(stored, key)
    return text === '' ? null : (JSON.parse(text) as ReceivingAccount)
  }
  return {
    siteName: settingText(stored, 'site_name'),
    siteDescription: settingText(stored, 'site_description'),
    ageClass: settingText(stored, 'age_class'),
    sellerLines: sellerLines((key) => settingText(stored, key)),
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
    agreedAdjustmentLimit: number('agreed_adjustment_limit'),
    /** The most goods without payment. */
    goodsLimits: {
      act: { luong: number('goods_act_luong'), loads: number('goods_act_loads') },
      alone: { luong: number('goods_alone_luong'), loads: number('goods_alone_loads') },
      operator: { luong: number('goods_operator_luong'), loads: number('goods_operator_loads') },
      day: { luong: number('goods_day_luong'), loads: number('goods_day_loads') },
      budget: { luong: number('goods_budget_luong'), loads: number('goods_budget_loads') },
    },
    deletionDays: number('deletion_days'),
    isCheckInEnabled: settingText(stored, 'check_in_enabled') === '1',
    checkInPlayers: number('check_in_players'),
    /** Null while there is none. */
    checkInGoods: readCalendar(settingText(stored, 'check_in_goods')),
    invitation: {
      isOn: settingText(stored, 'invitation_enabled') === '1',
      inviterCoins: number('invitation_inviter'),
      invitedCoins: number('invitation_invited'),
      rechargeMin: number('invitation_recharge'),
      perMonth: number('invitation_per_month'),
      budget: number('invitation_budget'),
    },
    bankAccounts: {
      momo: account('bank_account_momo'),
      vietcombank: account('bank_account_vietcombank'),
      acb: account('bank_account_acb'),
    },
  }
}

export type SettingValues = ReturnType<typeof settingValues>

/** What goods and TCoin are worth today, for worst cases. */
export const goodsPrices = ({ exchangeRate, rechargeRate }: SettingValues): GoodsPrices => ({
  luongPer100Coins: exchangeRate,
  coinsPerVnd: rechargeRate,
})

/** What a browser may read: the public keys, and who runs the portal as lines. */
export function publicSettings(stored: Stored): Record<string, string> {
  const lines = sellerLines((key) => settingText(stored, key))
  const values = Object.fromEntries(
    (Object.keys(settingDefinitions) as SettingKey[])
      .filter((key) => settingDefinitions[key].isPublic)
      .map((key) => [key, settingText(stored, key)]),
  )
  return lines.length === 0 ? values : { ...values, seller: lines.join('\n') }
}

export function describeSetting(key: SettingKey, stored: Stored): OperatorSetting {
  const definition: SettingDefinition = settingDefinitions[key]
  const { section, kind, label, description, limits, isPublic } = definition
  return {
    id: key,
    section,
    kind,
    value: settingText(stored, key),
    label,
    description,
    limits,
    options: [...(definition.options ?? [])],
    is_public: isPublic,
    updated_at: stored.get(key)?.updatedAt.toISOString() ?? null,
  }
}

export function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(settingDefinitions, key)
}

/** When one of these was last set, in milliseconds; null when none ever was. */
export function newestOf(stored: Stored, keys: readonly SettingKey[]): number | null {
  const moments = keys.flatMap((key) => stored.get(key)?.updatedAt.getTime() ?? [])
  return moments.length === 0 ? null : Math.max(...moments)
}

/** Who runs the portal, in lines for the foot of a page or a mail: only what is filled in. */
export function sellerLines(text: (key: SettingKey) => string): string[] {
  const part = (key: SettingKey, before = '') => {
    const value = text(key).trim()
    return value === '' ? [] : [before + value]
  }
  const licence = part('licence_number', 'Giấy phép số ')
  return [
    [...part('seller_name'), ...part('seller_tax_code', 'Mã số thuế/doanh nghiệp: ')],
    part('seller_address', 'Địa chỉ: '),
    licence.length === 0
      ? []
      : [...licence, ...part('licence_day', 'cấp ngày '), ...part('licence_authority', 'nơi cấp: ')],
    [...part('seller_hotline', 'Hotline: '), ...part('seller_email', 'Email khiếu nại: ')],
  ].flatMap((parts) => (parts.length === 0 ? [] : [parts.join(', ')]))
}
