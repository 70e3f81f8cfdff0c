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

/** Beside the button a longer text would have many short lines: it stands below. */
const ONE_LINE_MAX = 24

/** A fact with a button that copies it. */
export function CopyRow({ label, text, copied = text, isImportant = false }: Props) {
  const isBelow = text.length > ONE_LINE_MAX
  return (
    <div className={`relative pl-4 ${isBelow ? 'pt-3 pr-4 pb-2' : 'py-2 pr-32'}`}>
      <dt className={`text-sm text-soft ${isBelow ? 'mb-3 pr-28' : ''}`}>{label}</dt>
      <dd>
        <span
          className={`font-bold wrap-anywhere select-all ${isImportant ? 'text-[1.0625rem] text-vermilion' : ''}`}
        >
          {text}
        </span>
        <Button
          kind="text"
          className={`absolute right-2 min-w-28 px-3 ${isBelow ? 'top-0' : 'top-1/2 [transform:translateY(-50%)]'}`}
          onClick={() => void copyText(copied)}
        >
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
