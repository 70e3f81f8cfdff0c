import { registerHooks } from 'node:module'

/** Tests get what remembers hashes in place of argon2; that itself asks for it by `require`. */
registerHooks({
  resolve(specifier, context, next) {
    return specifier === '@node-rs/argon2' && !context.conditions?.includes('require')
      ? next(new URL('remembered-argon2.ts', import.meta.url).href, context)
      : next(specifier, context)
  },
})
