export {
  acceptProof,
  checkSecondFactor,
  type SecondFactorProof,
  secondFactorRequired,
  wrongSecondFactor,
} from './proofs.service.ts'
export {
  dropSecondFactor,
  haveSameSecret,
  takeAwaySecondFactor,
  haveSecondFactor,
  hasSecondFactor,
  personalSecondFactor,
} from './second-factor.service.ts'
export { registerSecondFactor } from './second-factor.routes.ts'
