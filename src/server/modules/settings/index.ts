export { insertMissingSettings } from './settings.queries.ts'
export {
  readPublicSettings,
  readSettings,
  settingsOf,
  storedTexts,
  type SettingValues,
} from './settings.service.ts'
export { registerSettings } from './settings.routes.ts'
export { registerOperatorSettings } from './settings.operator.ts'
export { lockSettingText, settingProposals } from './changing.service.ts'
