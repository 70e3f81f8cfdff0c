import { request } from '@playwright/test'
import { allStates } from '#tests/support/page-states/all-states.ts'
import { Callers, openState } from '#tests/support/page-states/page-state.ts'
import { takeScreenshots } from './screenshot-run.ts'

/** Every page, modal and state of a demo portal as a picture, on a phone and on a desktop, light and dark. */
await takeScreenshots({
  command: 'npm run screenshots [-- <name> …]',
  states: allStates,
  async prepare({ url }) {
    const callers = new Callers(await request.newContext({ baseURL: url }))
    return (page, state) => openState(page, state, callers)
  },
})
