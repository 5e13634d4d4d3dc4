export { presentPreferences } from './preferences/preferences.presenters.ts'
export { findPreferences } from './preferences/preferences.usecases.ts'
export { presentProfile } from './user.presenters.ts'
export { findProfile } from './user.usecases.ts'
