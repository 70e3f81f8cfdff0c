export { erasePerson, StillOpen } from './erasing.service.ts'
export { exportPerson } from './exporting.service.ts'
