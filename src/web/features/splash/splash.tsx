import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { HELLO_COUNTDOWN_S } from '#contract/constants.ts'
import { Button } from '#ui/button.tsx'
import { mayGreet, rememberHello } from '#web/features/splash/hello.ts'
import { splashCopy as copy } from '#web/features/splash/splash.copy.ts'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'

const LETTER_MS = 45
const SECOND_MS = 1_000

/** Whether the greeting is due is read once, when the page would show it. */
export function Splash({ onClose }: { onClose: () => void }) {
  const [isDue] = useState(mayGreet)
  return isDue ? <Greeting onClose={onClose} /> : null
}

/** The welcome over the finished home page: a typed greeting, then a button that presses itself after a while. */
function Greeting({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const greeting = copy.greeting(siteNameOf(useSettings()))
  const letters = Array.from(greeting)
  const typed = useTicks({ isRunning: true, until: letters.length, each_ms: LETTER_MS, skips: isStill() })
  const isTyped = typed >= letters.length
  const passed_s = useTicks({ isRunning: isTyped, until: HELLO_COUNTDOWN_S, each_ms: SECOND_MS })
  const isOver = passed_s >= HELLO_COUNTDOWN_S

  // A layout effect: closed while still in the document, it gives the focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])

  useEffect(() => {
    if (!isOver) return
    rememberHello()
    onClose()
  }, [isOver, onClose])

  function close() {
    rememberHello()
    onClose()
  }

  return (
    <dialog
      ref={dialog}
      aria-label={copy.title}
      className="fixed inset-0 m-0 grid size-full max-h-none max-w-none place-items-center overflow-auto bg-night p-6 text-on-night"
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
    >
      <div className="flex max-w-lg flex-col items-center gap-6 text-center">
        <img src="/images/logo-dark.svg" width={540} height={170} alt="" className="h-auto w-56" />
        <p className="text-2xl font-bold text-balance sm:text-3xl">
          <span className="sr-only">{greeting}</span>
          {/* The text that is not typed yet is there but invisible, so that no line moves. */}
          <span aria-hidden="true">
            {letters.slice(0, typed).join('')}
            <span className="invisible">{letters.slice(typed).join('')}</span>
          </span>
        </p>
        <Button autoFocus onClick={close}>
          {copy.home}
          <span aria-hidden="true" className={isTyped ? 'tabular-nums' : 'invisible tabular-nums'}>
            ({HELLO_COUNTDOWN_S - Math.min(passed_s, HELLO_COUNTDOWN_S - 1)})
          </span>
        </Button>
        <p className="sr-only">{copy.closesItself(HELLO_COUNTDOWN_S)}</p>
      </div>
    </dialog>
  )
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches

type Ticks = { isRunning: boolean; until: number; each_ms: number; skips?: boolean }

/** Counts up to `until` while it runs; with `skips` it starts there. */
function useTicks({ isRunning, until, each_ms, skips = false }: Ticks): number {
  const [count, setCount] = useState(skips ? until : 0)
  const isCounting = isRunning && count < until
  useEffect(() => {
    if (!isCounting) return
    const timer = setInterval(() => setCount((reached) => reached + 1), each_ms)
    return () => clearInterval(timer)
  }, [isCounting, each_ms])
  return count
}
