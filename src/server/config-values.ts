import * as z from 'zod'

/** The secret in use and, while it is being changed, the one before. */
export const secretList = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine(
    (secrets) => secrets.every((secret) => secret.length >= 8),
    'each secret needs at least 8 characters',
  )

export const webUrl = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/+$/, ''))
