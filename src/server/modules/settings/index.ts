export { insertMissingSettings } from './settings.queries.ts'
export { readPublicSettings, readSettings, type SettingValues } from './settings.service.ts'
export { registerSettings } from './settings.routes.ts'
export { registerOperatorSettings } from './settings.operator.ts'
