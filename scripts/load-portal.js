import { cacheCompiledCode } from '#server/start/compile-cache.js'

/* What starts load, each of which finds it compiled then. */
cacheCompiledCode(process.env)
await import('./build.ts')
await import('#server/start/main.ts')
await import('#server/start/portal.ts')
await import('#server/cluster/primary.ts')
await import('#server/cluster/child.ts')
