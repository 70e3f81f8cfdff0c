import { invalidField } from '../values/errors.ts'

export const wrongPictureType = () => invalidField('picture', 'Ảnh phải là tệp JPG, PNG hoặc WebP')

export const pictureTooManyPixels = () =>
  invalidField('picture', 'Ảnh có kích thước quá lớn, vui lòng chụp lại hoặc chọn ảnh khác')

export const unreadablePicture = () =>
  invalidField('picture', 'Không đọc được ảnh này, vui lòng chụp lại hoặc chọn ảnh khác')
