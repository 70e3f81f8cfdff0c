export { registerOperatorDigests } from './digests.operator.ts'
export { startDigestJobs } from './digests.service.ts'
