export { registerGifts } from './gifts.routes.ts'
