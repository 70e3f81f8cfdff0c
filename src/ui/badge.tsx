import type { ReactNode } from 'react'

const tones = {
  note: 'border-line-strong bg-sunken text-ink',
  waiting: 'border-line-strong bg-raised text-ink',
  success: 'border-leaf bg-leaf-wash text-leaf',
  danger: 'border-vermilion bg-wash text-vermilion',
} as const

export type BadgeTone = keyof typeof tones

/** A short label for a state. */
export function Badge({ tone, children }: { tone: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-block max-w-full shrink-0 rounded-md border px-2 py-0.5 text-sm font-bold whitespace-nowrap max-sm:whitespace-normal ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
