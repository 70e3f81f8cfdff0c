export {
  acceptProof,
  checkSecondFactor,
  hasSecondFactor,
  type SecondFactorProof,
  secondFactorRequired,
  wrongSecondFactor,
} from './proofs.service.ts'
export {
  dropSecondFactor,
  groupsOfOneSecret,
  takeAwaySecondFactor,
  haveSecondFactor,
  personalSecondFactor,
} from './second-factor.service.ts'
export { registerSecondFactor } from './second-factor.routes.ts'
