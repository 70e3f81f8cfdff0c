export { registerSavedFilters } from './saved-filters.operator.ts'
export { personalFilters } from './saved-filters.service.ts'
