import type { ReactNode } from 'react'

const tones = {
  danger: 'border-vermilion bg-wash text-ink',
  success: 'border-leaf bg-leaf-wash text-ink',
  note: 'border-line-strong bg-sunken text-ink',
} as const

type Props = { tone?: keyof typeof tones; children: ReactNode }

/** A message in the flow of a form or a page; those about danger are announced to screen readers at once. */
export function Alert({ tone = 'danger', children }: Props) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={`rounded-lg border-l-4 px-4 py-3 text-[0.9375rem] ${tones[tone]}`}
    >
      {children}
    </div>
  )
}
