export {
  readPublicSettings,
  readSettings,
  settingsOf,
  storedTexts,
  type SettingValues,
  insertMissingSettings,
} from './settings.service.ts'
export { goodsPrices } from './settings.rules.ts'
export { settingTerms } from './setting-terms.rules.ts'
export { registerSettings, registerOperatorSettings } from './settings.routes.ts'
export { insertMissingNames } from './names.service.ts'
export {
  applySetting,
  lockSettingText,
  readSettingTexts,
  settingProposals,
  titleOfSetting,
} from './changing.service.ts'
export { assertTextLinks } from './links.service.ts'
