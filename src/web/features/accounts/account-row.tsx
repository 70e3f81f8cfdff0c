import type { ReactNode } from 'react'

type Props = { title: string; state?: ReactNode; why?: ReactNode; children?: ReactNode }

/** One line of a list of the profile: what it is about, how it stands, and the buttons that change it. */
export function AccountRow({ title, state, why, children }: Props) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 py-3">
      <div className="min-w-0 flex-[1_1_14rem]">
        <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 text-base">
          {title}
          {state}
        </h3>
        {why && <div className="mt-0.5 text-[0.9375rem] text-soft">{why}</div>}
      </div>
      {children && <div className="flex flex-wrap gap-2">{children}</div>}
    </li>
  )
}
