export { registerDownloads } from './downloads.service.ts'
