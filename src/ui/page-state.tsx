import type { ReactNode } from 'react'

const pictures = {
  empty: { src: '/images/empty-scroll.svg', width: 240, height: 180 },
  lost: { src: '/images/lost-ninja.svg', width: 280, height: 220 },
} as const

type Props = {
  picture?: keyof typeof pictures
  title: string
  text?: string
  isTopTitle?: boolean
  /** What to do about it. */
  children?: ReactNode
}

/** A whole page or section with a single message: empty, missing, closed. */
export function PageState({ picture, title, text, isTopTitle = false, children }: Props) {
  const Title = isTopTitle ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-12 text-center">
      {picture && (
        <img {...pictures[picture]} alt="" className="h-auto max-h-[40svh] max-w-full object-contain" />
      )}
      <Title className="max-w-text text-xl font-bold text-balance">{title}</Title>
      {text && <p className="max-w-text text-soft">{text}</p>}
      {children}
    </div>
  )
}
