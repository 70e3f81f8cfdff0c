import { useQuery } from '@tanstack/react-query'
import { type SyntheticEvent, useState } from 'react'
import { consoleCall } from '#admin/console-call.ts'
import { Dialog } from '#admin/kit/dialog.tsx'
import { kitCopy } from '#admin/kit/kit.copy.ts'
import { messagesOf, useRefresh } from '#admin/kit/use-send.ts'
import { readList } from '#admin/query.ts'
import { createAttemptKeys } from '#client/attempt-keys.ts'
import { readyPicture } from '#client/shrink-picture.ts'
import { type OperatorPicture, operatorPictures, PICTURE_TYPES } from '#contract/operator/posts.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'

type Props = {
  title: string
  /** Pictures that were pasted: they wait to be described and uploaded. */
  start?: readonly File[]
  /** Without it, pictures are only uploaded. */
  onChosen?: (pictures: OperatorPicture[]) => void
  onClose: () => void
}

/** Pictures from the phone or the computer, or ones that were uploaded before. */
export function PictureDialog({ title, start = [], onChosen, onClose }: Props) {
  const { waiting, add, name, remove, upload, sent, reason, giveReason } = useUploads(start, (pictures) => {
    onChosen?.(pictures)
    onClose()
  })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    void upload()
  }
  return (
    <Dialog title={title} isBusy={sent !== null} onClose={onClose}>
      <form className="space-y-4" noValidate data-unsent={waiting.length > 0 || undefined} onSubmit={submit}>
        <label className="block">
          <span className="mb-1 block text-sm font-bold">{picturesCopy.choose}</span>
          <input
            type="file"
            multiple
            accept={PICTURE_TYPES.join(',')}
            className="block w-full"
            onChange={({ target }) => {
              add([...(target.files ?? [])])
              // The same file may be chosen again after it was removed.
              target.value = ''
            }}
          />
          <span className="mt-1 block text-sm text-soft">{picturesCopy.chooseHint}</span>
        </label>
        {waiting.map((one) => (
          <Waiting key={one.id} picture={one} onName={name} onRemove={remove} />
        ))}
        {waiting.length > 0 && (
          <>
            <Field
              label={kitCopy.reason}
              hint={kitCopy.reasonHint}
              maxLength={500}
              value={reason}
              onChange={({ target }) => giveReason(target.value)}
            />
            <Button type="submit" isBusy={sent !== null}>
              {sent === null ? picturesCopy.upload : picturesCopy.uploading(sent + 1, waiting.length)}
            </Button>
          </>
        )}
      </form>
      {onChosen && waiting.length === 0 && (
        <Uploaded
          onChoose={(picture) => {
            onChosen([picture])
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}

type WaitingProps = {
  picture: WaitingPicture
  onName: (id: number, alt: string) => void
  onRemove: (id: number) => void
}

function Waiting({ picture: { id, url, alt, error }, onName, onRemove }: WaitingProps) {
  return (
    <div className="flex items-start gap-3">
      <img src={url} alt="" className="size-20 rounded-lg object-cover" />
      <div className="min-w-0 grow">
        <Field
          label={picturesCopy.alt}
          hint={picturesCopy.altHint}
          {...(error === undefined ? {} : { error })}
          maxLength={300}
          value={alt}
          onChange={({ target }) => onName(id, target.value)}
        />
        <Button kind="text" onClick={() => onRemove(id)}>
          {picturesCopy.removeChosen}
        </Button>
      </div>
    </div>
  )
}

const LATEST = { range: '[0,23]' }

function Uploaded({ onChoose }: { onChoose: (picture: OperatorPicture) => void }) {
  const { data } = useQuery(readList(operatorPictures.list, LATEST))
  if (!data || data.rows.length === 0) return null
  return (
    <section aria-label={picturesCopy.uploaded} className="mt-5">
      <h3 className="mb-2 font-bold">{picturesCopy.uploaded}</h3>
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-4">
        {data.rows.map((picture) => (
          <li key={picture.id}>
            <button type="button" className="block w-full" onClick={() => onChoose(picture)}>
              <img
                src={picture.urls['320']}
                alt={picture.alt}
                width={picture.width}
                height={picture.height}
                loading="lazy"
                className="aspect-video h-auto w-full rounded-lg bg-sunken object-cover"
              />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

type WaitingPicture = { id: number; file: File; url: string; alt: string; error?: string }

const waitingFrom = (files: readonly File[], firstId: number): WaitingPicture[] =>
  files.map((file, index) => ({ id: firstId + index, file, url: URL.createObjectURL(file), alt: '' }))

/** Pictures that are about to be uploaded one after the other. `sent` is null while nothing is being sent. */
function useUploads(start: readonly File[], onDone: (pictures: OperatorPicture[]) => void) {
  const refresh = useRefresh()
  const [waiting, setWaiting] = useState<readonly WaitingPicture[]>(() => waitingFrom(start, 1))
  // A picture that may have arrived is sent again under its key.
  const [keysOf] = useState(() => new Map<number, ReturnType<typeof createAttemptKeys>>())
  const [reason, giveReason] = useState<string>(picturesCopy.usualReason)
  const [sent, setSent] = useState<number | null>(null)

  const change = (id: number, more: Partial<WaitingPicture>) =>
    setWaiting((all) => all.map((one) => (one.id === id ? { ...one, ...more } : one)))

  const forget = (gone: readonly WaitingPicture[]) => {
    for (const { url } of gone) URL.revokeObjectURL(url)
    setWaiting((all) => all.filter((one) => !gone.includes(one)))
  }

  /** Uploads until one is refused, which is then reported; those before it stay in the list of uploaded pictures. */
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
    for (const { id } of unnamed) change(id, { error: picturesCopy.altMissing })
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
      setWaiting((all) => [...all, ...waitingFrom(files, (all.at(-1)?.id ?? 0) + 1)]),
    remove: (id: number) => forget(waiting.filter((one) => one.id === id)),
  }
}

export const picturesCopy = {
  add: 'Tải ảnh lên',
  empty: 'Chưa có ảnh nào. Ảnh tải lên ở đây hoặc khi viết bài đều dùng lại được.',
  picture: 'Ảnh',
  alt: 'Mô tả ảnh',
  altHint: 'Cho người đọc không nhìn thấy ảnh.',
  altMissing: 'Vui lòng mô tả ảnh',
  size: 'Kích thước',
  createdAt: 'Tải lên lúc',
  removeTitle: 'Xóa ảnh',
  removeWarning: 'Ảnh bị xóa hẳn. Ảnh còn dùng trong bài, bản nháp hoặc bản lưu cũ thì không xóa được.',
  choose: 'Chọn ảnh từ máy',
  chooseHint: 'JPG, PNG hoặc WebP, tối đa 8 MB mỗi ảnh. Có thể chọn nhiều ảnh một lần.',
  removeChosen: 'Bỏ ảnh này',
  upload: 'Tải lên',
  uploading: (done: number, all: number) => `Đang tải ảnh ${done}/${all}`,
  usualReason: 'Tải ảnh lên',
  uploaded: 'Ảnh đã tải lên',
} as const
