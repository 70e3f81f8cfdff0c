const shortMoment = new Intl.DateTimeFormat('vi-VN', {
  timeZone: 'Asia/Ho_Chi_Minh',
  dateStyle: 'short',
  timeStyle: 'short',
})

/** A moment as players read it, wherever the server stands. */
export const shortVietnamTime = (moment: Date): string => shortMoment.format(moment)
