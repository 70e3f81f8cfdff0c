export const olderCopy = {
  in: (category: string) => `${category}: bài cũ hơn`,
  none: 'Không còn bài nào cũ hơn.',
  newest: 'Về bài mới nhất',
} as const
