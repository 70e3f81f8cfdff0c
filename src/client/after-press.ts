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
 * Runs `act` once no press is under way: after the click, when a field loses the focus by a tap on a button. A layout change
 * before that would move the button away from the finger, and the tap would be lost.
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
