let isPressed = false

if (typeof window !== 'undefined') {
  for (const [type, pressed] of [
    ['pointerdown', true],
    ['pointerup', false],
    ['pointercancel', false],
  ] as const)
    addEventListener(type, () => (isPressed = pressed), { capture: true })
}

/**
 * Runs `act` once no press is under way: after the click, where leaving a field is the first half of a tap on a button. What
 * moves the page before that takes the button away from under the finger, and the tap is lost.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) return void setTimeout(act)
  const released = new AbortController()
  const run = () => {
    released.abort()
    setTimeout(act)
  }
  for (const type of ['pointerup', 'pointercancel'])
    addEventListener(type, run, { capture: true, signal: released.signal })
}
