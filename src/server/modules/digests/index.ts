export { registerOperatorDigests, startDigestJobs } from './digests.service.ts'
