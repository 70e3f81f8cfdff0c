export const olderCopy = {
  none: 'Không còn bài nào cũ hơn.',
  newest: 'Về bài mới nhất',
} as const
