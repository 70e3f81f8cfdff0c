import { invalidField } from '#server/platform/http/refusal.ts'

export const noSuchDay = (field: 'filter_from' | 'filter_to') => invalidField(field, 'Ngày không hợp lệ')
