import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { securityCopy as copy } from '#web/features/accounts/security.copy.ts'
import { saveFile } from '#client/save-file.ts'
import { copyText } from '#web/parts/copy-row/copy-text.ts'

type Props = { codes: readonly string[]; onSaved: () => void }

/** The codes for when the phone is lost. The server stores only their hashes: they cannot be shown again. */
export function RecoveryCodes({ codes, onSaved }: Props) {
  const text = codes.join('\n')
  return (
    <div className="space-y-4">
      <Alert tone="success">{copy.recoveryLead}</Alert>
      <ul
        aria-label={copy.recoveryList}
        className="grid grid-cols-2 gap-x-2 gap-y-1 rounded-lg bg-sunken px-2 py-3 text-center font-mono text-[0.9375rem] whitespace-nowrap select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex gap-3">
        <Button kind="plain" className="flex-1" onClick={() => void copyText(text, copy)}>
          <Icon name="copy" />
          {copy.copyCodes}
        </Button>
        <Button
          kind="plain"
          className="flex-1"
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), copy.fileName)}
        >
          <Icon name="download" />
          {copy.download}
        </Button>
      </div>
      <Button className="w-full" onClick={onSaved}>
        {copy.saved}
      </Button>
    </div>
  )
}
