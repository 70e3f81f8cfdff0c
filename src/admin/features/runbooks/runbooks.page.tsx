import { Link } from 'react-router'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { machineRunbooks, runbooksCopy as copy } from './runbooks.copy.ts'
import { summaries } from './summaries.ts'

export function Component() {
  return (
    <ScreenFrame>
      <p className="max-w-2xl text-soft">{copy.note}</p>
      <Panel title={copy.alarms}>
        <div className="gap-6 space-y-4 lg:columns-2">
          {summaries.map(({ name, title, sections }) => (
            <section key={name} className="break-inside-avoid">
              <h3>
                <Link to={`/runbooks/${name}`}>{title}</Link>
              </h3>
              <ul className="mt-1 list-disc space-y-1.5 pl-5">
                {sections.map(({ title: label, alarms: [alarm] }) =>
                  alarm === undefined ? null : (
                    <li key={alarm}>
                      <Link to={`/runbooks/${name}#${alarm}`}>{label}</Link>
                    </li>
                  ),
                )}
              </ul>
            </section>
          ))}
        </div>
      </Panel>
      <Panel title={copy.machine}>
        <p className="mb-3 text-sm text-soft">{copy.machineNote}</p>
        <ul className="space-y-2">
          {Object.entries(machineRunbooks).map(([name, label]) => (
            <li key={name}>
              <Link to={`/runbooks/${name}`}>{label}</Link>
            </li>
          ))}
        </ul>
      </Panel>
    </ScreenFrame>
  )
}
