export { type NamedTag, namedTags, tagsByIds } from './tags.queries.ts'
export { requireTags, tagRefusals, tagsNamed } from './tags.rules.ts'
