import type { Area } from '../area.ts'
import { importsArea } from './imports/imports.area.ts'
import { suggestionsArea } from './suggestions/suggestions.area.ts'

/** Money in from other programs, and out. Ranked: an area may import the public files of those before it. */
export const intake: Area[] = [importsArea, suggestionsArea]
