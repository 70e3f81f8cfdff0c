import { Link } from 'react-router'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { runbookNames, runbooksCopy } from './runbooks.copy.ts'

export function Component() {
  return (
    <ScreenFrame>
      <p className="max-w-2xl text-soft">{runbooksCopy.note}</p>
      {(['alarms', 'machine'] as const).map((group) => (
        <Panel key={group} title={runbooksCopy[group]}>
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
