import type { ReactNode } from 'react'

type Props = { title?: string; lead?: string; children: ReactNode }

/** One step of a change, with its name where there are several, and what it is for. */
export function Step({ title, lead, children }: Props) {
  const Frame = title ? 'fieldset' : 'div'
  return (
    <Frame className="space-y-4">
      {title && <legend className="font-bold">{title}</legend>}
      {lead && <p className="text-[0.9375rem] text-soft">{lead}</p>}
      {children}
    </Frame>
  )
}
