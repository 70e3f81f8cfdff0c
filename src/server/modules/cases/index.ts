export { registerCases, registerOperatorCases } from './cases.routes.ts'
export { answerCaseOfClaim, openCaseOfClaim, personalCases, startCaseJobs } from './cases.service.ts'
