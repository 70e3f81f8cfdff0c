/** The browser's entry in development: React's hot replacement has to be there before the first component. */
import '@vitejs/plugin-react/preamble'

/** React's hot replacement asks for the exports of a module that are no components. */
Object.assign(window, {
  __getReactRefreshIgnoredExports: ({ id }: { id: string }) => {
    const page = /([\w-]+)\.page\.tsx$/.exec(id)?.[1]
    return page === undefined
      ? []
      : [`${page.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}Page`]
  },
})

await import('#web/entry-client.tsx')
