import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { outcomeCopy as copy, dismissAnnouncement, type Announcement } from '#web/parts/outcomes/announce.ts'

const styles = {
  failure: { icon: 'close', tint: 'bg-wash text-vermilion' },
  success: { icon: 'check', tint: 'bg-leaf-wash text-leaf' },
  warning: { icon: 'warning', tint: 'bg-sunken text-ink' },
} as const

export function Message({ announcement }: { announcement: Announcement }) {
  const { kind, lines, action } = announcement
  const { icon, tint } = styles[kind]

  function act() {
    dismissAnnouncement()
    action?.run()
  }

  return (
    <>
      <div className="flex items-start gap-4">
        <span className={`grid size-11 shrink-0 place-items-center rounded-full ${tint}`}>
          <Icon name={icon} className="size-6" />
        </span>
        <div className="min-w-0 space-y-1 self-center">
          {lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </div>
      <div className="modal-acts">
        {action && (
          <Button kind="plain" onClick={act}>
            {action.label}
          </Button>
        )}
        <Button data-autofocus onClick={dismissAnnouncement}>
          {copy.confirm}
        </Button>
      </div>
    </>
  )
}
