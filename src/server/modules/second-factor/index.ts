export { acceptProof, checkSecondFactor, type SecondFactorProof } from './proofs.service.ts'
export { secondFactorRequired, wrongSecondFactor } from './second-factor.errors.ts'
export { dropSecondFactor } from './second-factor.service.ts'
export { registerSecondFactor } from './second-factor.routes.ts'
