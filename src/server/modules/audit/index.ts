export { appendAudit, appendOwnAct, type AuditActor, findTrailRows } from './audit.service.ts'
export {
  countAlone,
  actAsOperator,
  actAsSystem,
  type ActCall,
  type Recorded,
  actOnSeveral,
  changeRow,
} from './operator-act.service.ts'
export {
  addGiven,
  endPromise,
  type GoodsAmount,
  promiseGoods,
  type PromiseKey,
  readGoodsUse,
  takeOfOpen,
  whyAboveAct,
  whyGoodsLimited,
} from './goods-limits.service.ts'
export { sendExport, serveOperatorList } from './operator-list.service.ts'
export {
  describeActs,
  describeTrailRows,
  lastTrailCheck,
  firstActOf,
  listTrailOf,
  verifyAndStore,
  startAuditJobs,
  erasePersonalOf,
  personalTrail,
} from './trail.service.ts'
export { registerOperatorAudit } from './audit.operator.ts'
