import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { copyRowCopy as copy } from '#web/shell/copy-row.copy.ts'
import { showToast } from '#web/shell/toast-store.ts'

type Props = {
  label: string
  text: string
  /** What is copied when it is not the text as shown. */
  copied?: string
  isImportant?: boolean
}

/** A fact that is wanted elsewhere, with a button that copies it. */
export function CopyRow({ label, text, copied = text, isImportant = false }: Props) {
  return (
    <div className="py-1.5 pr-2 pl-4">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="-mt-2 flex items-center justify-between gap-3">
        <span
          className={`min-w-0 font-bold break-words select-all ${isImportant ? 'text-lg text-vermilion' : ''}`}
        >
          {text}
        </span>
        <Button kind="quiet" className="-mt-3 shrink-0 px-3" onClick={() => void copyText(copied)}>
          <Icon name="copy" />
          <span className="max-sm:sr-only">{copy.copy}</span>
          <span className="sr-only"> {label.toLowerCase()}</span>
        </Button>
      </dd>
    </div>
  )
}

async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(copy.copied)
  } catch {
    // No clipboard on this origin, or the player said no: the text can be selected with one touch.
    showToast(copy.copyFailed)
  }
}
