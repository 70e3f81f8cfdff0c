import { request } from '@playwright/test'
import { screens } from '#admin/screens.ts'
import { addressOf, makeConsoleRows } from '#tests/e2e/admin/console-rows.ts'
import { expectLoaded, openConsole } from '#tests/e2e/admin/staff-page.ts'
import { consoleStates, type ConsoleState } from './console-states.ts'
import { takeScreenshots } from './screenshot-run.ts'

/** Every screen of the console with rows, named as in `src/admin/screens.ts`, and its dialogs and states. */
const screenStates = Object.entries(screens).map(([name, screen]): ConsoleState => ({
  name,
  path: (rows) => addressOf(screen, rows),
}))
await takeScreenshots({
  command: 'npm run screenshots:console [-- <screen> …]',
  states: [...screenStates, ...consoleStates],
  prefix: 'console-',
  async prepare({ url, dataDir }, states) {
    const calls = await request.newContext({ baseURL: url })
    const rows = await makeConsoleRows(calls, dataDir)
    for (const arrange of new Set(states.map((state) => state.arrange)))
      await arrange?.({ rows, calls, dataDir })
    return async (page, { before, path, prepare }) => {
      await before?.(page)
      await openConsole(page, rows.viewer, typeof path === 'string' ? path : path(rows))
      await expectLoaded(page)
      await prepare?.(page)
    }
  },
})
