import type { Area } from '../../area.ts'
import * as settings from './settings.routes.ts'

export const settingsArea: Area = { tag: 'Administration', operations: [settings] }
