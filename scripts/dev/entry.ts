/** The browser's entry in development: React's hot replacement has to be there before the first component. */
import '@vitejs/plugin-react/preamble'

/** React's hot replacement needs the exports of a module that are no components. */
Object.assign(window, {
  __getReactRefreshIgnoredExports: ({ id }: { id: string }) => (id.endsWith('.page.tsx') ? ['page'] : []),
})

await import('#web/entry-client.tsx')
