type Props = { children: string; className?: string }

/** An amount of TCoin, the only thing in the portal that is golden. The caller formats the number. */
export function Coins({ children, className = '' }: Props) {
  return (
    <span
      translate="no"
      className={`inline-flex items-center gap-1.5 align-bottom font-bold whitespace-nowrap text-gold tabular-nums ${className}`}
    >
      <img src="/images/tcoin.svg" width={20} height={20} alt="" className="size-5 shrink-0" />
      <span>
        {children}
        <span className="sr-only"> TCoin</span>
      </span>
    </span>
  )
}
