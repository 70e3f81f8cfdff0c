import { useId } from 'react'

type Props = {
  label: string
  /** What it does, in a sentence. */
  text?: string
  isOn: boolean
  disabled?: boolean
  onChange: (isOn: boolean) => void
}

/** One choice that counts at once. */
export function Switch({ label, text, isOn, disabled = false, onChange }: Props) {
  const id = useId()
  return (
    <label className="flex min-h-12 cursor-pointer items-center justify-between gap-4 px-4 py-2">
      <span>
        {label}
        {text !== undefined && (
          <span id={id} className="mt-0.5 block text-sm text-soft" aria-hidden="true">
            {text}
          </span>
        )}
      </span>
      <input
        type="checkbox"
        className="size-6 shrink-0 accent-vermilion"
        checked={isOn}
        disabled={disabled}
        aria-label={label}
        aria-describedby={text === undefined ? undefined : id}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
