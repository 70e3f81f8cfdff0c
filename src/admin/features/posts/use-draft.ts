import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { operatorPosts, type OperatorPost } from '#contract/operator/posts.ts'
import { CallError } from '#client/call.ts'
import { draftBody, type Written } from '#admin/features/posts/post-values.ts'
import { consoleCall } from '#admin/console-call.ts'

const PAUSE_MS = 1_500
const RETRY_MS = 10_000

export type DraftState =
  | { is: 'clean' | 'waiting' | 'saving' | 'failed' | 'conflict' }
  | { is: 'kept'; at: string }

/** The state a refusal found there instead of the one that was seen; null when it is no such refusal. */
export function presentOf(error: unknown): OperatorPost | null {
  if (!(error instanceof CallError) || error.body?.code !== 'CONFLICT') return null
  return (error.body.present as OperatorPost | undefined) ?? null
}

type Options = {
  postId: string
  /** What is written now; asked for when it is kept. */
  written: () => Written
  onConflict: (present: OperatorPost) => void
}

/** Keeps what is being written as a draft: a moment after the last change, and at once when the screen is left. */
export function useDraft({ postId, written, onConflict }: Options) {
  const [state, setState] = useState<DraftState>({ is: 'clean' })
  const latest = useRef({ written, onConflict })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isChanged = useRef(false)
  const underWay = useRef<Promise<void>>(Promise.resolve())

  useEffect(() => {
    latest.current = { written, onConflict }
  })

  async function keep(): Promise<void> {
    if (!isChanged.current) return
    isChanged.current = false
    setState({ is: 'saving' })
    try {
      const body = draftBody(latest.current.written())
      const { saved_at } = await consoleCall(operatorPosts.saveDraft, { params: { id: postId }, body })
      if (!isChanged.current) setState({ is: 'kept', at: saved_at })
    } catch (error) {
      const present = presentOf(error)
      setState({ is: present === null ? 'failed' : 'conflict' })
      if (present !== null) return latest.current.onConflict(present)
      isChanged.current = true
      wait(RETRY_MS)
    }
  }

  function wait(ms: number): void {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void flush(), ms)
  }

  /** Keeps what is not kept yet, after what is being kept now. */
  function flush(): Promise<void> {
    clearTimeout(timer.current)
    underWay.current = underWay.current.then(keep)
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
    /** There is nothing to keep any more: the post was saved, or the draft dropped. */
    async settle() {
      isChanged.current = false
      clearTimeout(timer.current)
      await underWay.current
      setState({ is: 'clean' })
    },
  }
}
