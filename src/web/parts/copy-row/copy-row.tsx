import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { copyRowCopy as copy } from '#web/parts/copy-row/copy-row.copy.ts'
import { copyText } from '#web/parts/copy-row/copy-text.ts'

type Props = {
  label: string
  text: string
  /** What is copied when it is not the text as shown. */
  copied?: string
  isImportant?: boolean
}

/** A fact with a button that copies it. */
export function CopyRow({ label, text, copied = text, isImportant = false }: Props) {
  return (
    <div className="relative py-2 pr-32 pl-4">
      <dt className="text-sm text-soft">{label}</dt>
      <dd>
        <span
          className={`font-bold wrap-anywhere select-all ${isImportant ? 'text-[1.0625rem] text-vermilion' : ''}`}
        >
          {text}
        </span>
        <Button
          kind="quiet"
          className="absolute top-1/2 right-2 min-w-28 -translate-y-1/2 px-3"
          onClick={() => void copyText(copied, copy)}
        >
          <Icon name="copy" />
          {copy.copy}
          <span className="sr-only"> {label.toLowerCase()}</span>
        </Button>
      </dd>
    </div>
  )
}
