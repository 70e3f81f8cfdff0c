import { useEffect, useRef, useState } from 'react'
import { lazyComponent } from '#web/load-chunk.tsx'

const MilestoneCard = lazyComponent(() =>
  import('#web/parts/rewards/milestone-card.tsx').then((part) => part.MilestoneCard),
)

/** Where pages about something else show the programme of the moment; its code and data are read when it comes near the screen. */
export function MilestonePlace() {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver((entries) => {
      if (entries.some((one) => one.isIntersecting)) setNear(true)
    })
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={place} className="min-h-px">
      {isNear && <MilestoneCard />}
    </div>
  )
}
