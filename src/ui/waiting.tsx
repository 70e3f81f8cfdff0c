/** Said to screen readers. */
export const WAIT = 'Đang mở…'

/** A bar at the top of the screen while what was asked for is on its way and has no place yet. */
export const Waiting = () => (
  <div role="status" className="nav-progress">
    <span className="sr-only">{WAIT}</span>
  </div>
)
