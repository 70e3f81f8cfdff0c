import type { ReactNode } from 'react'

type Props = { title: string; isOpen?: boolean; children: ReactNode }

/** A part of the profile that few need at a visit: its title opens it. */
export function Fold({ title, isOpen = false, children }: Props) {
  return (
    <details open={isOpen} className="mt-4 rounded-xl border border-line bg-raised px-4 open:pb-4">
      <summary className="flex min-h-13 cursor-pointer items-center justify-between gap-3 font-bold after:text-lg after:text-vermilion after:content-['+'] in-open:after:content-['–']">
        {title}
      </summary>
      {children}
    </details>
  )
}
