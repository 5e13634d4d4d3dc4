export { tagsByIds } from './tags.queries.ts'
export { requireTags, tagsNamed } from './tags.rules.ts'
