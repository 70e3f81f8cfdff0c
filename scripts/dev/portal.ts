import { main } from '#server/start/main.ts'
import { openDevelopmentSite } from './development-site.ts'

/** The portal as `npm start` runs it, but with pages that Vite compiles when they are requested. */
await main(process.argv.slice(2), { openSite: openDevelopmentSite })
