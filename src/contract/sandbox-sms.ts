import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { atMost, canonicalPhone, filled, required } from './fields.ts'

/** Served in a demo only. Open, since players who forgot their password need a phone too. */
export const sendSandboxSms = endpoint('POST', '/sandbox/sms', 'open', {
  summary:
    'Sends the signed message that a phone would cause by texting to the short code; answers what it gets back.',
  /** Any number, so that it can be seen what a foreign one gets. */
  body: z.object({
    phone: z
      .string(required)
      .check(z.overwrite(canonicalPhone), filled(), z.regex(/^\+?\d{8,15}$/, 'Số điện thoại không hợp lệ')),
    text: z.string(required).check(filled(), atMost(160)),
  }),
  answer: z.object({ reply: z.string() }),
})
