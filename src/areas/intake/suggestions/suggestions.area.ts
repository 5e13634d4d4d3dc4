import type { Area } from '../../area.ts'
import * as suggestions from './suggestions.routes.ts'

/** It brings together what accounts and imports know of a difference, so it stands behind both. */
export const suggestionsArea: Area = { tag: 'Reconciliations', operations: [suggestions] }
