export { registerOwnHome } from './home.service.ts'
