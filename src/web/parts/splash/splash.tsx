import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { HELLO_COUNTDOWN_S, HELLO_INTERVAL_MS, HELLO_STORAGE_KEY } from '#contract/constants.ts'
import { Button } from '#ui/button.tsx'
import { siteNameOf, useSettings } from '#web/parts/settings/settings.ts'
import { writeStored } from '#web/browser-storage.ts'

const copy = {
  title: 'Lời chào',
  greeting: (site: string) => `Chào mừng bạn đến với ${site}!`,
  home: 'Vào trang chủ',
  closesItself: (seconds: number) => `Lời chào tự đóng sau ${seconds} giây.`,
} as const

const LETTER_MS = 45
const SECOND_MS = 1_000

/** Whether the greeting is due is read once, when the page would show it. */
export function Splash({ onClose }: { onClose: () => void }) {
  const [isDue] = useState(mayGreet)
  return isDue ? <Greeting onClose={onClose} /> : null
}

/** However long the name of the portal is. */
const LETTERS_MS_MAX = 1_000

/**
 * The welcome, as a card over the art of the finished home page: a typed greeting and a button that presses itself after a
 * while. It takes neither the focus nor any touch beside it.
 */
function Greeting({ onClose }: { onClose: () => void }) {
  const greeting = copy.greeting(siteNameOf(useSettings()))
  const letters = Array.from(greeting)
  const each_ms = Math.min(LETTER_MS, LETTERS_MS_MAX / letters.length)
  const typed = useTicks({ until: letters.length, each_ms, skips: prefersReducedMotion() })
  // The seconds run once it can be read, and not while somebody types beside it.
  const isRead = typed >= letters.length
  const passed_s = useTicks({ until: isRead ? HELLO_COUNTDOWN_S : 0, each_ms: SECOND_MS, waits: isTyping })
  const isOver = passed_s >= HELLO_COUNTDOWN_S

  // Stored however it is closed, by its button or with the page.
  useEffect(() => rememberGreeting, [])

  useEffect(() => {
    if (isOver) onClose()
  }, [isOver, onClose])

  useEffect(() => {
    const closeByEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    document.addEventListener('keydown', closeByEscape)
    return () => document.removeEventListener('keydown', closeByEscape)
  }, [onClose])

  const place = document.querySelector('.hero-art')
  if (!place) return null
  return createPortal(
    <section role="dialog" aria-label={copy.title} className="greeting">
      <p className="text-lg leading-snug font-bold text-balance">
        <span className="sr-only">{greeting}</span>
        {/* The text that is not typed yet is there but invisible, so that no line moves. */}
        <span aria-hidden="true">
          {letters.slice(0, typed).join('')}
          <span className="invisible">{letters.slice(typed).join('')}</span>
        </span>
      </p>
      <Button onClick={onClose}>
        {copy.home}
        <span aria-hidden="true" className="tabular-nums">
          ({HELLO_COUNTDOWN_S - Math.min(passed_s, HELLO_COUNTDOWN_S - 1)})
        </span>
      </Button>
      <p className="sr-only">{copy.closesItself(HELLO_COUNTDOWN_S)}</p>
    </section>,
    place,
  )
}

const isTyping = () => document.activeElement?.matches('input, textarea') ?? false

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches

type Ticks = { until: number; each_ms: number; skips?: boolean; waits?: () => boolean }

/** Counts up to `until`; with `skips` it starts there. A tick does not count while it `waits`. */
function useTicks({ until, each_ms, skips = false, waits }: Ticks): number {
  const [count, setCount] = useState(skips ? until : 0)
  const isCounting = count < until
  useEffect(() => {
    if (!isCounting) return
    const timer = setInterval(() => waits?.() || setCount((reached) => reached + 1), each_ms)
    return () => clearInterval(timer)
  }, [isCounting, each_ms, waits])
  return count
}

/** Whether a visitor is to be greeted, by the stored time of the last greeting; anything else counts as none. */
export function isGreetingDue(stored: string | null, now_ms: number): boolean {
  if (stored === null || !/^\d+$/.test(stored)) return true
  return now_ms - Number(stored) > HELLO_INTERVAL_MS
}

export function mayGreet(): boolean {
  try {
    return isGreetingDue(localStorage.getItem(HELLO_STORAGE_KEY), Date.now())
  } catch {
    // Where nothing can be stored the greeting would appear at every visit.
    return false
  }
}

export const rememberGreeting = () => writeStored(HELLO_STORAGE_KEY, String(Date.now()))
