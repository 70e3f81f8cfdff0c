export { erasePerson, StillOpen } from './erasing.service.ts'
export { exportPerson } from './exporting.service.ts'
export { registerPersonalData } from './personal-data.routes.ts'
