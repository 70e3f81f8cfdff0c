import type { ReactNode } from 'react'

type Props = {
  /** The portrait, or what came. */
  picture: ReactNode
  name: string
  figure: ReactNode
  stamp: string | null
}

/** Who or what it is about, the figure, and the stamp once it is over. */
export function MomentHead({ picture, name, figure, stamp }: Props) {
  return (
    <div className="flex items-center gap-4 overflow-hidden rounded-xl bg-sunken p-4">
      {picture}
      <div className="min-w-0 flex-1">
        {/* Where both have no room in one line, the stamp stands above the name. */}
        <span className="flex flex-wrap-reverse items-center justify-between gap-x-2">
          <span className="max-w-full font-bold wrap-anywhere">{name}</span>
          {stamp !== null && <span className="seal moment-stamp">{stamp}</span>}
        </span>
        <span className="mt-1 block text-xl leading-snug font-bold text-balance">{figure}</span>
      </div>
    </div>
  )
}
