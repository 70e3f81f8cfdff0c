import type { ReactNode } from 'react'
import { Dialog } from '#ui/dialog.tsx'
import { keysOfScreen } from '#admin/kit/screen-keys.ts'
import type { Screen } from '#admin/screen.ts'
import { consoleCopy } from '#admin/shell/console.copy.ts'

const copy = consoleCopy.keys

const Key = ({ children }: { children: ReactNode }) => (
  <kbd className="rounded border border-line-strong bg-sunken px-1.5 font-bold">{children}</kbd>
)

export function KeysDialog({ screens, onClose }: { screens: readonly Screen[]; onClose: () => void }) {
  return (
    <Dialog title={copy.title} onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-2">
        <dt>
          <Key>/</Key>
        </dt>
        <dd>{copy.search}</dd>
        <dt>
          <Key>?</Key>
        </dt>
        <dd>{copy.help}</dd>
        {Object.entries(keysOfScreen()).map(([key, { label }]) => (
          <div key={key} className="contents">
            <dt>
              <Key>{key}</Key>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
        {screens.map(({ path, title, letter }) =>
          letter === undefined ? null : (
            <div key={path} className="contents">
              <dt>
                <Key>g</Key> {copy.followedBy} <Key>{letter}</Key>
              </dt>
              <dd>
                {copy.go} {title}
              </dd>
            </div>
          ),
        )}
      </dl>
    </Dialog>
  )
}
