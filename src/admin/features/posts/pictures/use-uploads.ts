import { useState } from 'react'
import { operatorPictures, type OperatorPicture } from '#contract/operator/pictures.ts'
import { createAttemptKeys } from '#client/attempt-keys.ts'
import { readyPicture } from '#client/shrink-picture.ts'
import { consoleCall } from '#admin/console-call.ts'
import { picturesCopy as copy } from '#admin/features/posts/pictures/pictures.copy.ts'
import { messagesOf } from '#admin/kit/outcome.ts'
import { useRefresh } from '#admin/kit/use-send.ts'

export type WaitingPicture = { id: number; file: File; url: string; alt: string; error?: string }

/** Pictures that are about to be uploaded one after the other. `sent` is null while nothing is being sent. */
export function useUploads(onDone: (pictures: OperatorPicture[]) => void) {
  const refresh = useRefresh()
  const [waiting, setWaiting] = useState<readonly WaitingPicture[]>([])
  // A picture that may have arrived is sent again under its key.
  const [keysOf] = useState(() => new Map<number, ReturnType<typeof createAttemptKeys>>())
  const [reason, giveReason] = useState<string>(copy.usualReason)
  const [sent, setSent] = useState<number | null>(null)

  const change = (id: number, more: Partial<WaitingPicture>) =>
    setWaiting((all) => all.map((one) => (one.id === id ? { ...one, ...more } : one)))

  const forget = (gone: readonly WaitingPicture[]) => {
    for (const { url } of gone) URL.revokeObjectURL(url)
    setWaiting((all) => all.filter((one) => !gone.includes(one)))
  }

  /** Uploads until one is refused, which is then named; those before it stay in the list of uploaded pictures. */
  async function send(): Promise<OperatorPicture[] | null> {
    const done: OperatorPicture[] = []
    for (const { id, file, alt } of waiting) {
      setSent(done.length)
      const keys = keysOf.get(id) ?? createAttemptKeys()
      keysOf.set(id, keys)
      try {
        const { blob } = await readyPicture(file)
        const body = { alt, reason }
        const idempotencyKey = keys.keyFor({ ...body, file })
        done.push(await consoleCall(operatorPictures.create, { body, file: blob, idempotencyKey }))
      } catch (error) {
        keys.failed(error)
        change(id, { error: messagesOf(error).join(' ') })
        return null
      }
    }
    return done
  }

  async function upload(): Promise<void> {
    if (sent !== null) return
    const unnamed = waiting.filter(({ alt }) => alt.trim() === '')
    for (const { id } of unnamed) change(id, { error: copy.altMissing })
    if (unnamed.length > 0) return
    const done = await send()
    setSent(null)
    refresh()
    if (done === null) return
    forget(waiting)
    onDone(done)
  }

  return {
    waiting,
    sent,
    upload,
    reason,
    giveReason,
    name: (id: number, alt: string) =>
      setWaiting((all) =>
        all.map((one) => (one.id === id ? { id, file: one.file, url: one.url, alt } : one)),
      ),
    add: (files: readonly File[]) =>
      setWaiting((all) => [
        ...all,
        ...files.map((file, index) => ({
          id: (all.at(-1)?.id ?? 0) + index + 1,
          file,
          url: URL.createObjectURL(file),
          alt: '',
        })),
      ]),
    remove: (id: number) => forget(waiting.filter((one) => one.id === id)),
  }
}
