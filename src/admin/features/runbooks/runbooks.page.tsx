import { Link } from 'react-router'
import { runbookNames, runbooksCopy as copy } from '#admin/features/runbooks/runbooks.copy.ts'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'

export function Component() {
  return (
    <ScreenFrame title={copy.title}>
      <p className="max-w-2xl text-soft">{copy.note}</p>
      {(['alarms', 'machine'] as const).map((group) => (
        <Panel key={group} title={copy[group]}>
          <ul className="space-y-2">
            {Object.entries(runbookNames[group]).map(([name, label]) => (
              <li key={name}>
                <Link to={`/runbooks/${name}`}>{label}</Link>
              </li>
            ))}
          </ul>
        </Panel>
      ))}
    </ScreenFrame>
  )
}
