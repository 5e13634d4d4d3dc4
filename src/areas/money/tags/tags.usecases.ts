import { foldKey } from '../../../domain/text.ts'
import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { ownedResource } from '../../../platform/database/owned-resource.ts'
import type { RowChanges } from '../../../platform/database/owned-tables.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import {
  labelsTo,
  moveLabels,
  putInTrash,
  requireMovable,
} from '../../../ledger/labels/labels.public.ts'
import { tagErrors } from './tags.errors.ts'
import { tagEvents } from './tags.events.ts'
import {
  type StoredTag,
  type TagFilter,
  type TagRow,
  tagRows,
  tagsMatching,
} from './tags.queries.ts'

const conflicts = { 'tags.name_key': () => tagErrors.nameTaken({ field: 'name' }) }

const resource = ownedResource({
  prefix: 'tag',
  rows: tagRows,
  events: tagEvents,
  notFound: tagErrors.notFound,
  conflicts,
})

export const listTags = (ctx: SignedIn, filter: TagFilter, page: PageRequest) =>
  resource.list(ctx, page, tagsMatching(filter))

export const getTag = resource.get

interface NewTag {
  name: string
  color?: string | undefined
  archived: boolean
}

export async function createTag(ctx: SignedIn, wanted: NewTag): Promise<TagRow> {
  const { name, color = null, archived } = wanted
  const tag = resource.newRow(ctx, ctx.caller.userId, {
    name,
    nameKey: foldKey(name),
    color,
    archived,
  })
  return commit(ctx, {
    changes: [resource.creation(tag)],
    result: { ...tag, transactionCount: 0 },
    conflicts,
  })
}

type TagFields = Pick<StoredTag, 'name' | 'color' | 'archived'>

export const updateTag = (ctx: SignedIn, id: string, { name, ...wanted }: RowChanges<TagFields>) =>
  resource.update(ctx, id, {
    ...wanted,
    ...(name === undefined ? {} : { name, nameKey: foldKey(name) }),
  })

/** Deletes a tag, and takes it off everything that has it. */
export async function deleteTag(ctx: SignedIn, id: string): Promise<void> {
  const [[found], labels] = await read(ctx, tagRows.byId(ctx, id), labelsTo(ctx, 'tag', [id]))
  const tag = resource.existing(found)
  requireVersion(ctx, tag.version)
  requireMovable(labels, tagErrors.tooManyLinks)
  const untagged = moveLabels(ctx, 'tag', { from: [id], to: undefined }, labels)
  const row = tagRows.stored(tag)
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...untagged.statements,
          ...tagRows.delete(tag),
          putInTrash(ctx, { id, kind: 'tag', name: tag.name }, { row, lines: labels, into: null }),
        ],
        events: [
          tagEvents.deleted({ id, version: tag.version }, { before: row }),
          ...untagged.events,
        ],
      },
    ],
    result: undefined,
  })
}

/** Puts this tag in the place of another one, which is gone then. */
export async function mergeTag(ctx: SignedIn, id: string, otherId: string): Promise<void> {
  const [[tag], [other], labels] = await read(
    ctx,
    tagRows.byId(ctx, id),
    tagRows.byId(ctx, otherId),
    labelsTo(ctx, 'tag', [otherId]),
  )
  resource.existing(tag)
  if (otherId === id) {
    throw tagErrors.mergedWithItself({ field: 'tagId' })
  }
  if (!other) {
    throw tagErrors.unknownTag({ field: 'tagId' })
  }
  requireMovable(labels, tagErrors.tooManyLinks)
  const retagged = moveLabels(ctx, 'tag', { from: [otherId], to: id }, labels)
  await commit(ctx, {
    changes: [
      {
        statements: [...retagged.statements, ...tagRows.delete(other)],
        events: [
          tagEvents.merged(
            { id: otherId, version: other.version },
            { before: tagRows.stored(other), into: id },
          ),
          ...retagged.events,
        ],
      },
    ],
    result: undefined,
  })
}
