import type { ReactNode } from 'react'

type Props = {
  /** Its class, for styles of its own. */
  name: string
  padding: string
  title: string
  text: string
  /** More than the text. */
  children: ReactNode
  buttons: ReactNode
}

/** A question at the foot of the screen; nothing waits for the answer. */
export function NoticeBar({ name, padding, title, text, children, buttons }: Props) {
  const titleId = `${name}-title`
  return (
    <section
      aria-labelledby={titleId}
      className={`${name} fixed inset-x-0 bottom-(--shell-bottom) z-20 border-t border-line-strong bg-raised shadow-card`}
    >
      <div className={`shell-width flex flex-col md:flex-row md:items-center md:gap-6 ${padding}`}>
        <div className="min-w-0 flex-1">
          <h2 id={titleId} className="text-base">
            {title}
          </h2>
          <p className="mt-0.5 text-sm text-soft">{text}</p>
          {children}
        </div>
        <div className="flex shrink-0 gap-3">{buttons}</div>
      </div>
    </section>
  )
}
