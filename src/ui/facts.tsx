import type { ReactNode } from 'react'

export type Fact = { label: string; value: ReactNode }

/** Names and values, a line each. */
export function Facts({ facts, className = '' }: { facts: readonly Fact[]; className?: string }) {
  return (
    <dl className={`space-y-2 rounded-lg bg-sunken px-4 py-3 ${className}`}>
      {facts.map(({ label, value }) => (
        <div key={label} className="flex flex-wrap items-center justify-between gap-x-4">
          <dt className="text-soft">{label}</dt>
          <dd className="ml-auto min-w-0 text-right font-bold">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
