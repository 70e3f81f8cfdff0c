export { registerOperatorPictures } from './pictures.operator.ts'
export { registerUploads } from './pictures.routes.ts'
export { findPictureFile, lockPictures } from './pictures.queries.ts'
export { uploadsIn } from './pictures.rules.ts'
