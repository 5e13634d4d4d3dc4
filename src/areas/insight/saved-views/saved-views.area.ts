import type { Area } from '../../area.ts'
import * as savedViews from './saved-views.routes.ts'

export const savedViewsArea: Area = { tag: 'Saved views', operations: [savedViews] }
