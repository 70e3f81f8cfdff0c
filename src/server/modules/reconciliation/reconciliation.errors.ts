import { invalidField } from '#server/platform/http/refusal.ts'

export const wrongFilter = (name: string) => invalidField('filter', `Giá trị lọc của ${name} không hợp lệ`)
