import * as z from 'zod/mini'
import { idText, moment } from '../envelope.ts'
import { filledText } from '../fields.ts'
import { person, storable } from './act-fields.ts'

export const noteSchema = z.object({ id: idText, text: z.string(), author: person, created_at: moment })

export type OperatorNote = z.output<typeof noteSchema>

/** The rows older than this one. */
export const beforeId = z.object({ before: z.optional(idText) })

/** @__NO_SIDE_EFFECTS__ */
export const noteText = (max: number) => filledText(z.maxLength(max, `Ghi chú tối đa ${max} kí tự`), storable)
