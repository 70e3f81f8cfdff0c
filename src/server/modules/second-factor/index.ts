export { acceptProof, checkSecondFactor, type SecondFactorProof } from './proofs.service.ts'
export { secondFactorRequired, wrongSecondFactor } from './second-factor.errors.ts'
export {
  areSecondFactorsOn as haveSecondFactor,
  isSecondFactorOn as hasSecondFactor,
} from './second-factor.queries.ts'
export { dropSecondFactor, haveSameSecret, takeAwaySecondFactor } from './second-factor.service.ts'
export { registerSecondFactor } from './second-factor.routes.ts'
export { personalSecondFactor } from './personal.queries.ts'
