export { registerOperatorPictures, registerUploads } from './pictures.routes.ts'
export { findUpload, lockPictures, uploadsIn } from './pictures.service.ts'
