export { personalFilters } from './personal.queries.ts'
export { registerSavedFilters } from './saved-filters.operator.ts'
