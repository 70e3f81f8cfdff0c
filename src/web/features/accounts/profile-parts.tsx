import type { ReactNode } from 'react'
import { Boundary, PART_FAILED } from '#ui/failure.tsx'
import { foldTitle } from '#ui/fold.ts'

type RowProps = { title: string; state?: ReactNode; why?: ReactNode; children?: ReactNode }

/** One line of a list of the profile: its subject, its state, and the buttons that change it. */
export function AccountRow({ title, state, why, children }: RowProps) {
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

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-xl border border-line bg-raised p-4 shadow-card sm:p-5">
      <h2 className="mb-3 text-xl">{title}</h2>
      <Boundary failed={PART_FAILED}>{children}</Boundary>
    </section>
  )
}

type FoldProps = { title: string; isOpen?: boolean; children: ReactNode }

/** A rarely used part of the profile: its title opens it. */
export function Fold({ title, isOpen = false, children }: FoldProps) {
  return (
    <details open={isOpen} className="mt-4 rounded-xl border border-line bg-raised px-4 open:pb-4">
      <summary className={foldTitle}>{title}</summary>
      <Boundary failed={PART_FAILED}>{children}</Boundary>
    </details>
  )
}

type StepProps = { title?: string; lead?: string; children: ReactNode }

/** One step of a change, with its name where there are several, and what it is for. */
export function Step({ title, lead, children }: StepProps) {
  const Frame = title ? 'fieldset' : 'div'
  return (
    <Frame className="min-w-0 space-y-4">
      {title && <legend className="font-bold">{title}</legend>}
      {lead && <p className="text-[0.9375rem] text-soft">{lead}</p>}
      {children}
    </Frame>
  )
}
