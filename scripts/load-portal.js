import { keepCompiled } from '#server/compile-cache.js'

/* What starts load, each of which finds it compiled then. */
keepCompiled(process.env)
await import('./build.ts')
await import('#server/main.ts')
await import('#server/alone.ts')
await import('#server/processes/primary.ts')
await import('#server/processes/child.ts')
