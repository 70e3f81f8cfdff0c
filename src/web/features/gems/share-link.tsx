import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { sharePath, type GemInputs } from '#web/features/gems/gem-inputs.ts'
import { gemsCopy as copy } from '#web/features/gems/gems.copy.ts'
import { copyText } from '#web/parts/copy-row/copy-text.ts'

export function ShareLink({ inputs }: { inputs: GemInputs }) {
  const path = sharePath(inputs)
  return (
    <div className="mt-4 border-t border-line pt-4">
      <h3 className="text-base">{copy.share}</h3>
      <a
        href={path}
        className="mt-1 flex min-h-11 items-center text-sm break-all text-vermilion underline underline-offset-3"
      >
        {path}
      </a>
      <Button
        kind="plain"
        className="mt-2 w-full"
        onClick={() => void copyText(new URL(path, location.origin).href, copy)}
      >
        <Icon name="copy" />
        {copy.copyLink}
      </Button>
    </div>
  )
}
