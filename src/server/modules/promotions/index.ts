export {
  grantBonus,
  listRunning,
  personalBonuses,
  promiseBonus,
  releaseBonus,
  reverseBonus,
  startBonusJobs,
} from './bonuses.service.ts'
export { registerOperatorPromotions } from './promotions.operator.ts'
export { promotionProposals } from './promotions.service.ts'
