import { useId, useState } from 'react'
import {
  CASE_PICTURE_BYTES_MAX,
  CASE_PICTURE_TOO_LARGE,
  CASE_PICTURE_TYPES,
  CASE_PICTURES_MAX,
} from '#contract/help/case-forms.ts'
import { isPicture, readyPicture, type ReadyPicture } from '#client/shrink-picture.ts'
import { buttonClass } from '#ui/button.tsx'
import { describedBy, Frame } from '#ui/field.tsx'
import { Icon } from '#ui/icon.tsx'
import { helpCopy as copy } from '#web/features/help/help.copy.ts'
import { Picture } from '#web/features/help/picture.tsx'

type Props = {
  pictures: readonly ReadyPicture[]
  error: string | undefined
  onPictures: (pictures: readonly ReadyPicture[]) => void
}

/** Up to four pictures: chosen, previewed, removed again. */
export function PicturesField({ pictures, error: refused, onPictures }: Props) {
  const id = useId()
  const [isPreparing, setPreparing] = useState(false)
  const [problem, setProblem] = useState<string>()
  const error = problem ?? refused
  const hint = copy.picturesHint
  const isFull = pictures.length >= CASE_PICTURES_MAX

  async function add(files: readonly File[]) {
    setProblem(undefined)
    setPreparing(true)
    const taken: ReadyPicture[] = []
    for (const file of files.slice(0, CASE_PICTURES_MAX - pictures.length)) {
      const ready = (await isPicture(file)) ? await readyPicture(file) : null
      if (ready === null) setProblem(copy.wrongType)
      else if (ready.blob.size > CASE_PICTURE_BYTES_MAX) setProblem(CASE_PICTURE_TOO_LARGE)
      else taken.push(ready)
    }
    setPreparing(false)
    onPictures([...pictures, ...taken])
  }

  return (
    <Frame {...{ id, error, hint }} label={copy.pictures} isOptional>
      <input
        id={id}
        type="file"
        multiple
        disabled={isFull}
        accept={CASE_PICTURE_TYPES.join(',')}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { error, hint })}
        className="peer sr-only"
        onChange={({ target }) => {
          void add([...(target.files ?? [])])
          // The same file may be chosen again after it was removed.
          target.value = ''
        }}
      />
      <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line-strong p-3 peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2">
        {pictures.map((picture, index) => (
          <span key={`${picture.name} ${index}`} className="relative">
            <Picture bitmap={picture.bitmap} alt={picture.name} className="size-20 object-cover" />
            <button
              type="button"
              aria-label={copy.removePicture(picture.name)}
              className="absolute -top-3 -right-3 flex size-11 items-center justify-center"
              onClick={() => onPictures(pictures.filter((one) => one !== picture))}
            >
              <span className="rounded-full border border-line-strong bg-raised p-1">
                <Icon name="close" className="size-4" />
              </span>
            </button>
          </span>
        ))}
        {!isFull && (
          <label htmlFor={id} className={buttonClass('plain', 'cursor-pointer')}>
            {isPreparing ? copy.preparing : copy.addPicture}
          </label>
        )}
      </div>
    </Frame>
  )
}
