/** The console's entry in development: React's hot replacement has to be there before the first component. */
import '@vitejs/plugin-react/preamble'

await import('#admin/entry-client.tsx')
