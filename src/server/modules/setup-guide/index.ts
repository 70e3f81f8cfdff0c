export { registerSetupGuide } from './setup-guide.service.ts'
