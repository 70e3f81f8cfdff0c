export { registerCheckIn } from './check-in.routes.ts'
export { personalCheckIns } from './check-in.service.ts'
