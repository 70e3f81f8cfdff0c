import { formatNumber } from '#contract/money.ts'

export function activationMessage(fee: number): string {
  return fee === 0
    ? 'Kích hoạt tài khoản thành công'
    : `Kích hoạt tài khoản thành công, phí kích hoạt là ${formatNumber(fee)} TCoin`
}
