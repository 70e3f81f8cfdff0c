export { registerDownloads } from './downloads.routes.ts'
