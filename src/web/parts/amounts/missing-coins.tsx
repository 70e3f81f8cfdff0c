import { paths } from '#contract/pages.ts'
import { formatNumber } from '#contract/format.ts'
import { useSettings } from '#web/parts/settings/settings.ts'

export const missingCopy = {
  missing: (amount: string) => `Bạn còn thiếu: ${amount}, vui lòng nạp thêm tiền`,
  recharge: 'Nạp TCoin còn thiếu',
} as const

/** The words for what the balance lacks. Their number has no unit: the mark of TCoin stands beside it. */
export function MissingCoins({ missing }: { missing: number }) {
  const number = formatNumber(missing)
  const [before = '', after = ''] = missingCopy.missing(number).split(number)
  return (
    <>
      {before}
      <span className="font-bold whitespace-nowrap text-gold">
        <img
          src="/images/tcoin.svg"
          width={18}
          height={18}
          alt=""
          className="mr-1 ml-0.5 inline size-4.5 align-text-bottom"
        />
        {number}
      </span>
      {after}
    </>
  )
}

/** The address of the recharge of exactly what is missing. */
export const useRechargeOf = (missing: number) =>
  rechargeOf(missing, Number(useSettings().recharge_rate ?? 1))

/** At so many TCoin for each VND. */
export function rechargeOf(missing: number, rate: number): string {
  return `${paths.recharge}?amount=${Math.ceil(missing / Math.max(1, rate))}`
}
