import { useEffect, useRef, useState, type ReactNode } from 'react'

/** How far from the screen a picture is fetched; browsers themselves fetch lazy ones several screens ahead. */
const NEAR = '400px 0px'

/** A picture of 16:9 that is fetched when its place is nearly on the screen; without scripts as any lazy picture. */
export function LatePicture({ className = '', children }: { className?: string; children: ReactNode }) {
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

  if (isNear) return children
  return (
    <div ref={place} className={`aspect-video bg-sunken ${className}`}>
      <noscript>{children}</noscript>
    </div>
  )
}
