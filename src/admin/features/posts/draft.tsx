import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { momentText } from '#admin/kit/format.ts'
import { isConflict } from '#admin/kit/use-send.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'

const PAUSE_MS = 1_500
const RETRY_MS = 10_000

export type DraftState =
  | { is: 'clean' | 'waiting' | 'saving' | 'failed' | 'conflict' }
  | { is: 'saved'; at: string }

/** The stored state that a CONFLICT refusal answered with; null for any other error. */
export function presentOf<Present>(error: unknown): Present | null {
  return isConflict(error) ? ((error.body?.present as Present | undefined) ?? null) : null
}

type Options<Present> = {
  /** Saves the present text as a draft. */
  save: () => Promise<{ saved_at: string }>
  /** Somebody else has changed the stored text. */
  onConflict?: (present: Present) => void
}

/** Saves what is being written as a draft: a moment after the last change, and at once when the screen is left. */
export function useDraft<Present>({ save, onConflict }: Options<Present>) {
  const [state, setState] = useState<DraftState>({ is: 'clean' })
  const latest = useRef({ save, onConflict })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isChanged = useRef(false)
  const underWay = useRef<Promise<void>>(Promise.resolve())

  useEffect(() => {
    latest.current = { save, onConflict }
  })

  async function saveChanges(): Promise<void> {
    if (!isChanged.current) return
    isChanged.current = false
    setState({ is: 'saving' })
    try {
      const { saved_at } = await latest.current.save()
      if (!isChanged.current) setState({ is: 'saved', at: saved_at })
    } catch (error) {
      const present = presentOf<Present>(error)
      setState({ is: present === null ? 'failed' : 'conflict' })
      if (present !== null) return latest.current.onConflict?.(present)
      isChanged.current = true
      wait(RETRY_MS)
    }
  }

  function wait(ms: number): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush(), ms)
  }

  /** Saves the changes that are not saved yet, after a save that is under way. */
  function flush(): Promise<void> {
    clearTimeout(timer.current)
    underWay.current = underWay.current.then(saveChanges)
    return underWay.current
  }

  const leave = useEffectEvent(() => void flush())
  useEffect(() => {
    const hidden = () => document.visibilityState === 'hidden' && leave()
    document.addEventListener('visibilitychange', hidden)
    return () => {
      document.removeEventListener('visibilitychange', hidden)
      leave()
    }
  }, [])

  return {
    state,
    flush,
    changed() {
      isChanged.current = true
      setState({ is: 'waiting' })
      wait(PAUSE_MS)
    },
    /** Nothing is left to save: the post was saved, or the draft dropped. */
    async settle() {
      isChanged.current = false
      clearTimeout(timer.current)
      await underWay.current
      setState({ is: 'clean' })
    },
  }
}

/** The texts that all kinds of drafts share. */
export const draftCopy = {
  clean: 'Chưa có thay đổi',
  waiting: 'Có thay đổi chưa lưu nháp',
  saving: 'Đang lưu nháp…',
  saved: (time: string) => `Đã lưu nháp lúc ${time}. Người chơi chưa thấy thay đổi này.`,
  failed: 'Chưa lưu được bản nháp, sẽ thử lại',
  resumed: (time: string) => `Đang viết tiếp bản nháp lưu lúc ${time}.`,
  drop: 'Bỏ bản nháp',
} as const

type Words = Record<Exclude<DraftState['is'], 'saved'> | 'drop' | 'dropWarning', string> &
  Record<'saved' | 'resumed', (time: string) => string>

type Props = {
  state: DraftState
  /** When the draft that is being continued was saved; null when there was none. */
  resumedAt: string | null
  words: Words
  /** Left out while the draft must not be dropped. */
  onDrop?: (() => Promise<void>) | undefined
}

/** Whether the draft is saved, and the button that drops it. */
export function DraftLine({ state, resumedAt, words, onDrop }: Props) {
  const [isConfirming, setConfirming] = useState(false)
  const isResumed = state.is === 'clean' && resumedAt !== null
  const text = state.is === 'saved' ? words.saved(momentText(state.at)) : words[state.is]
  return (
    <div className="flex flex-wrap items-center gap-3 text-sm text-soft">
      <span role="status">{isResumed ? words.resumed(momentText(resumedAt)) : text}</span>
      {(isResumed || state.is === 'saved') && onDrop && (
        <Button kind="text" onClick={() => setConfirming(true)}>
          {words.drop}
        </Button>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={words.drop}
          confirmLabel={words.drop}
          onConfirm={() => {
            setConfirming(false)
            void onDrop?.()
          }}
          onClose={() => setConfirming(false)}
        >
          <p>{words.dropWarning}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
