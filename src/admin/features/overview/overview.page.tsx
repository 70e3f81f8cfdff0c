import { Digest } from '#admin/features/overview/digest.tsx'
import { AlarmList } from '#admin/kit/alarm-list.tsx'
import { Figures } from '#admin/features/overview/figures.tsx'
import { Today } from '#admin/features/overview/today.tsx'
import { overviewCopy as copy } from '#admin/features/overview/overview.copy.ts'
import { Panel, ScreenFrame } from '#admin/kit/screen.tsx'
import { useMay } from '#admin/session/console-session.ts'

export function Component() {
  const maySeeFigures = useMay()('statistics.read')
  return (
    <ScreenFrame title={copy.title}>
      <Panel title={copy.waits}>
        <AlarmList />
      </Panel>
      {maySeeFigures && <Today />}
      <Digest />
      {maySeeFigures && <Figures />}
    </ScreenFrame>
  )
}
