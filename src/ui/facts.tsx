import type { ReactNode } from 'react'

export type Fact = { label: string; value: ReactNode }

/** Names and values, side by side; a long value wraps beside its name. */
export function Facts({ facts, className = '' }: { facts: readonly Fact[]; className?: string }) {
  return (
    <dl className={`space-y-2 rounded-lg bg-sunken px-4 py-3 ${className}`}>
      {facts.map(({ label, value }) => (
        <div key={label} className="fact">
          <dt className="text-soft">{label}</dt>
          <dd className="text-right font-bold text-balance wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
