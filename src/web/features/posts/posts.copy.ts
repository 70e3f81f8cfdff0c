export const postsCopy = {
  posts: 'Bài viết',
  older: 'Xem bài cũ hơn',
  newPosts: 'Bài viết mới',
  categories: 'Chuyên mục',
  otherCategories: 'Chuyên mục khác',
  otherPosts: 'Bài viết khác',
  isNew: 'Mới',
  noPosts: 'Chưa có bài viết nào. Bạn quay lại sau nhé!',
  views: 'lượt xem',
  download: 'Tải game',
  recharge: 'Nạp TCoin',
} as const
