import { useEffect, useRef, useState, type ReactNode } from 'react'

/** How far from the screen a picture is fetched; browsers themselves fetch lazy ones several screens ahead. */
const NEAR = '400px 0px'

/** Where a picture is below the first screen: on phones, or everywhere. */
export type Far = 'on-phones' | 'everywhere'

type Props = { far: Far; className?: string; children: ReactNode }

/** A picture of 16:9 that is fetched when its place is nearly on the screen; without scripts as any lazy picture. */
export function LatePicture({ far, className = '', children }: Props) {
  const [isNear, setNear] = useState(false)
  const place = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (isNear || !place.current) return
    const watch = new IntersectionObserver((seen) => setNear(seen.some((one) => one.isIntersecting)), {
      rootMargin: NEAR,
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [isNear])

  return (
    <div ref={place} data-far={isNear ? undefined : far} className={`late-picture bg-sunken ${className}`}>
      {children}
    </div>
  )
}
