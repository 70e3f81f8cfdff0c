import type { ReactNode } from 'react'
import { Button } from './button.tsx'

type Props = {
  picture?: { src: string; width: number; height: number }
  title: string
  isTopTitle?: boolean
  children?: ReactNode
}

/** A whole page or section that has one thing to say: empty, missing, failed. */
export function PageState({ picture, title, isTopTitle = false, children }: Props) {
  const Title = isTopTitle ? 'h1' : 'p'
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-12 text-center">
      {picture && <img {...picture} alt="" className="h-auto max-w-full" />}
      <Title className="max-w-prose text-xl font-bold text-balance">{title}</Title>
      {children}
    </div>
  )
}

/** Something did not load: what happened, and the way to try again. */
export function LoadFailure({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-8 text-center">
      <p>{message}</p>
      <Button kind="plain" onClick={onRetry}>
        Thử lại
      </Button>
    </div>
  )
}
