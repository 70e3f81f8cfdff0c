import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { idText } from '../envelope.ts'
import { reason, severalAnswer, severalOf } from './act-fields.ts'
import { bankTransferSchema, matchBody } from './bank-transfers.ts'
import { permitted } from './roles.ts'
import { suggestionSchema } from './suggestions.ts'

/** Calls about several bank transfers of the inbox at once. */
export const severalBankTransfers = {
  /** For the dialog of `matchMany`. */
  suggestedOrders: endpoint(
    'GET',
    '/operator/bank-transfers/suggested-orders',
    permitted('bank-transfers.match'),
    {
      summary:
        'Of each of up to 50 bank transfers the most likely unpaid order; null when none is suggested, or the transfer is decided.',
      query: z.object({
        ids: z
          .string()
          .check(
            z.regex(
              /^[1-9]\d{0,17}(,[1-9]\d{0,17}){0,49}$/,
              'Cần từ 1 đến 50 mã số, cách nhau bằng dấu phẩy',
            ),
          ),
      }),
      answer: z.array(z.object({ transfer: bankTransferSchema, suggestion: z.nullable(suggestionSchema) })),
    },
  ),
  matchMany: endpoint('POST', '/operator/bank-transfers/match', permitted('bank-transfers.match'), {
    summary:
      'Credits up to 50 bank transfers, each to the player of the order named with it, each by itself, and says what came of each. What is above the limit waits for a second person.',
    body: z.object({
      matches: severalOf(z.omit(z.extend(matchBody, { id: idText }), { reason: true })),
      reason,
    }),
    answer: severalAnswer,
    isIdempotent: true,
    mayWait: true,
    errors: ['STEP_UP_REQUIRED', 'KEY_REUSED', 'IN_PROGRESS'],
  }),
}
