import { defineEvents, lifecycleOf } from '../../../platform/log/events.ts'
import type { StoredSavedView } from './saved-views.queries.ts'

export const savedViewEvents = defineEvents('savedView', lifecycleOf<StoredSavedView>())
