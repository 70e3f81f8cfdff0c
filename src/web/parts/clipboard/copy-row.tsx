import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { showToast } from '#web/parts/outcomes/announce.ts'

const copy = {
  copy: 'Sao chép',
  copied: 'Đã sao chép',
  copyFailed: 'Không sao chép được, vui lòng chọn và sao chép bằng tay',
} as const

type Props = {
  label: string
  text: string
  /** What is copied when it is not the text as shown. */
  copied?: string
  isImportant?: boolean
}

/** A fact with a button that copies it, beside it or, where there is no room, below it. */
export function CopyRow({ label, text, copied = text, isImportant = false }: Props) {
  return (
    <div className="py-1.5 pr-2 pl-4">
      <dt className="text-sm text-soft">{label}</dt>
      <dd className="flex flex-wrap items-center justify-between gap-x-2">
        <span
          className={`min-w-0 flex-1 basis-36 font-bold wrap-anywhere select-all ${isImportant ? 'text-[1.0625rem] text-vermilion' : ''}`}
        >
          {text}
        </span>
        <Button kind="text" className="ml-auto min-w-28 px-3" onClick={() => void copyText(copied)}>
          <Icon name="copy" />
          {copy.copy}
          <span className="sr-only"> {label.toLowerCase()}</span>
        </Button>
      </dd>
    </div>
  )
}

/** Copies a text that the page also shows, so that it can be copied by hand where there is no clipboard. */
export async function copyText(
  text: string,
  texts: { copied: string; copyFailed: string } = copy,
): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast(texts.copied)
  } catch {
    // No clipboard on this origin, or no permission.
    showToast(texts.copyFailed)
  }
}
