import type { Area } from '../../area.ts'
import * as tags from './tags.routes.ts'

export const tagsArea: Area = { tag: 'Tags', operations: [tags] }
