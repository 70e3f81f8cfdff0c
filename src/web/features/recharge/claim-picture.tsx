import { useEffect, useId, useRef, useState } from 'react'
import {
  CLAIM_PICTURE_BYTES_MAX,
  CLAIM_PICTURE_TOO_LARGE,
  CLAIM_PICTURE_TYPES,
} from '#contract/recharge-claims.ts'
import { Button, buttonClass } from '#ui/button.tsx'
import { describedBy, Frame } from '#ui/field.tsx'
import { claimCopy as copy } from '#web/features/recharge/claim.copy.ts'
import { readyPicture, type ReadyPicture } from '#client/shrink-picture.ts'

type Props = {
  picture: ReadyPicture | null
  error: string | undefined
  onPicture: (picture: ReadyPicture | null) => void
}

/** The picture of a receipt: chosen, previewed, changed or removed again. */
export function ClaimPicture({ picture, error: refused, onPicture }: Props) {
  const id = useId()
  const [isPreparing, setPreparing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const error = problem ?? refused
  const hint = copy.pictureHint

  function take(ready: ReadyPicture | null, wrong?: string) {
    setProblem(wrong)
    onPicture(wrong ? null : ready)
  }

  async function choose(file: File | undefined) {
    if (!file) return
    if (!CLAIM_PICTURE_TYPES.some((type) => type === file.type)) return take(null, copy.wrongType)
    setPreparing(true)
    const ready = await readyPicture(file)
    setPreparing(false)
    const isTooLarge = ready.blob.size > CLAIM_PICTURE_BYTES_MAX
    take(ready, isTooLarge ? CLAIM_PICTURE_TOO_LARGE : undefined)
  }

  return (
    <Frame {...{ id, error, hint }} label={copy.picture} isOptional>
      <input
        id={id}
        type="file"
        accept={CLAIM_PICTURE_TYPES.join(',')}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error, hint })}
        className="peer sr-only"
        onChange={({ target }) => {
          void choose(target.files?.[0])
          // The same file may be chosen again after it was removed.
          target.value = ''
        }}
      />
      <div
        className={`flex items-center gap-3 rounded-lg border p-3 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 ${error ? 'border-vermilion' : 'border-line-strong'}`}
      >
        <Chosen {...{ id, picture, isPreparing }} onRemove={() => take(null)} />
      </div>
    </Frame>
  )
}

type ChosenProps = {
  id: string
  picture: ReadyPicture | null
  isPreparing: boolean
  onRemove: () => void
}

function Chosen({ id, picture, isPreparing, onRemove }: ChosenProps) {
  const label = picture ? copy.changePicture : copy.choosePicture
  return (
    <>
      {picture?.bitmap && <Preview bitmap={picture.bitmap} />}
      <div className="min-w-0 flex-1 space-y-2">
        {picture && (
          <p className="flex gap-x-1 text-sm">
            <span className="truncate">{picture.name}</span>
            <span className="shrink-0 text-soft">· {sizeText(picture.blob.size)}</span>
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <label htmlFor={id} className={buttonClass('plain', 'cursor-pointer')}>
            {isPreparing ? copy.preparing : label}
          </label>
          {picture && (
            <Button kind="quiet" onClick={onRemove}>
              {copy.removePicture}
            </Button>
          )}
        </div>
      </div>
    </>
  )
}

const PREVIEW_SIDE = 160

/** A canvas, since the content security policy permits no other pictures than the portal's. */
function Preview({ bitmap }: { bitmap: ImageBitmap }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const scale = Math.min(1, PREVIEW_SIDE / Math.max(bitmap.width, bitmap.height))
  const [width, height] = [Math.ceil(bitmap.width * scale), Math.ceil(bitmap.height * scale)]
  useEffect(() => {
    canvas.current?.getContext('2d')?.drawImage(bitmap, 0, 0, width, height)
  }, [bitmap, width, height])
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      role="img"
      aria-label={copy.previewAlt}
      className="max-h-24 w-auto max-w-24 shrink-0 rounded border border-line"
    />
  )
}

const sizeText = (bytes: number) =>
  bytes < 1024 * 1024
    ? `${Math.max(1, Math.round(bytes / 1024))} KB`
    : `${(bytes / 1024 / 1024).toFixed(1).replace('.', ',')} MB`
