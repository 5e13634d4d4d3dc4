export { settingMustStillBe, settingOf, settingToRead } from './settings.queries.ts'
export type { SettingValues } from './settings.rules.ts'
