import { keepCompiled } from './compile-cache.js'

/*
 * The portal's first file, in plain JavaScript. What Node makes of TypeScript is kept from one start to the next, but is
 * only found from here on; the library that would make it anew takes 35 MB, and keeps them.
 */
keepCompiled(process.env)
const { main } = await import('./main.ts')
await main(process.argv.slice(2))
