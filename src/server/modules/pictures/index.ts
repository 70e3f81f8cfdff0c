export { registerOperatorPictures, registerUploads } from './pictures.routes.ts'
export { uploadsIn, findPictureFile, lockPictures } from './pictures.service.ts'
