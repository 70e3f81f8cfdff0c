export { registerViewAs } from './view-as.service.ts'
