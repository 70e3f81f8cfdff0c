import { Refusal } from '#server/platform/http/refusal.ts'

export const insufficientBalance = () => new Refusal('INSUFFICIENT_BALANCE')
