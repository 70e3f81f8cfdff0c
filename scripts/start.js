import { keepCompiled } from '#server/compile-cache.js'

/* In plain JavaScript for the reason of `src/server/start.js`. */
keepCompiled(process.env)
await import('./start.ts')
