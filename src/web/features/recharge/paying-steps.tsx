import type { ReactNode } from 'react'
import { Section } from '#ui/section.tsx'
import { orderCopy as copy } from '#web/features/recharge/order.copy.ts'

/** How to pay with the phone that shows the code: banks' apps read it from the phone's pictures. */
export function PayingSteps() {
  return (
    <Section title={copy.samePhone} titleClass="mb-3 text-lg" className="md:pointer-fine:hidden">
      <ol className="grid grid-cols-3 gap-3">
        {steps.map(({ words, drawing }, index) => (
          <li key={words} className="flex flex-col items-center gap-1.5 text-center text-sm">
            <svg viewBox="0 0 72 72" aria-hidden="true" className="paying-step size-18 rounded-2xl bg-sunken">
              {drawing}
            </svg>
            <span>
              <strong className="text-vermilion">{index + 1}.</strong> {words}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}

const phone = <path d="M23 9h26a4 4 0 0 1 4 4v46a4 4 0 0 1-4 4H23a4 4 0 0 1-4-4V13a4 4 0 0 1 4-4ZM32 57h8" />
const code = <path d="M27 19h7v7h-7zM38 19h7v7h-7zM27 30h7v7h-7zM38 30h3v3M45 37h-3" />

const steps: { words: string; drawing: ReactNode }[] = [
  {
    words: copy.steps.save,
    drawing: (
      <>
        {phone}
        {code}
        <path className="accent" d="M36 40v11m-5-5 5 5 5-5" />
      </>
    ),
  },
  {
    words: copy.steps.open,
    drawing: (
      <>
        {phone}
        <path
          className="accent"
          d="M26 28.500 36 22l10 6.500zM28.500 28.500v10M36 28.500v10M43.500 28.500v10M26 41.500h20"
        />
      </>
    ),
  },
  {
    words: copy.steps.choose,
    drawing: (
      <>
        <path d="M12 17h37a3 3 0 0 1 3 3v32a3 3 0 0 1-3 3H12a3 3 0 0 1-3-3V20a3 3 0 0 1 3-3ZM18 12h37a4 4 0 0 1 4 4v31" />
        <path d="M18 26h8v8h-8zM35 26h8v8h-8zM18 39h8v8h-8zM35 39h4v4" />
        <path className="accent" d="m40 56 6 6 13-14" />
      </>
    ),
  },
]
