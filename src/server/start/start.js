import './installation.js'

/*
 * The portal's first file, in plain JavaScript. What Node makes of TypeScript is cached from one start to the next, but is
 * only found from here on; the library that would compile it again takes 35 MB, and holds them. Nothing else is imported
 * before it is known that this Node can run it.
 */
const { cacheCompiledCode } = await import('./compile-cache.js')
cacheCompiledCode(process.env)
const { main } = await import('./main.ts')
await main(process.argv.slice(2))
