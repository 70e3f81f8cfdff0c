export { giftCodeProposals, startGiftCodeJobs } from './batches.service.ts'
export { registerGiftCodes, registerOperatorGiftCodes } from './gift-codes.routes.ts'
export { makeGiftCode } from './gift-code.rules.ts'
export { HASH_PURPOSE, personalGiftCodes } from './redeeming.service.ts'
