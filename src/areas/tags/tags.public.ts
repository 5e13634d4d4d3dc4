export { restoreTag, tagsByIds } from './tags.queries.ts'
export { requireTags, tagsNamed } from './tags.rules.ts'
export { presentTag } from './tags.presenters.ts'
export { findTags } from './tags.usecases.ts'
