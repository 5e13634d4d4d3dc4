import { foldKey } from '../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import {
  labelsTo,
  moveLabels,
  putInTrash,
  requireMovable,
} from '../../../ledger/labels/labels.public.ts'
import { tagErrors } from './tags.errors.ts'
import { tagEvents } from './tags.events.ts'
import {
  countOfTags,
  deleteTagRow,
  insertTag,
  pageOfTags,
  tagById,
  type TagFilter,
  type TagRow,
  updateTagRow,
} from './tags.queries.ts'

export async function listTags(
  ctx: SignedIn,
  filter: TagFilter,
  page: PageRequest,
): Promise<Page<TagRow>> {
  const [found, [total]] = await read(ctx, pageOfTags(ctx, filter, page), countOfTags(ctx, filter))
  return { ...cutPage(found, page, ({ id }) => [id]), count: total?.count ?? 0 }
}

export async function getTag(ctx: SignedIn, id: string): Promise<TagRow> {
  const [[tag]] = await read(ctx, tagById(ctx, id))
  return existing(tag)
}

function existing(tag: TagRow | undefined): TagRow {
  if (!tag) {
    throw tagErrors.notFound()
  }
  return tag
}

const conflicts = { 'tags.name_key': () => tagErrors.nameTaken({ field: 'name' }) }

interface NewTag {
  name: string
  color?: string | undefined
  archived: boolean
}

export async function createTag(ctx: SignedIn, { name, color, archived }: NewTag): Promise<TagRow> {
  const tag = {
    id: freshId(ctx, 'tag'),
    ownerId: ctx.caller.userId,
    name,
    nameKey: foldKey(name),
    color: color ?? null,
    archived,
    version: 1,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  }
  return commit(ctx, {
    changes: [
      {
        statements: [insertTag(tag)],
        events: [tagEvents.created({ id: tag.id, version: tag.version }, { after: tag })],
      },
    ],
    result: { ...tag, transactionCount: 0 },
    conflicts,
  })
}

/** Absent means left alone; null clears. */
interface TagChanges {
  name?: string | undefined
  color?: string | null | undefined
  archived?: boolean | undefined
}

export async function updateTag(ctx: SignedIn, id: string, wanted: TagChanges): Promise<TagRow> {
  const before = await getTag(ctx, id)
  requireVersion(ctx, before.version)
  const { name = before.name, archived = before.archived } = wanted
  const color = wanted.color === undefined ? before.color : wanted.color
  const changed = { name, nameKey: foldKey(name), color, archived }
  const [after, version] = [{ ...before, ...changed }, before.version + 1]
  return commit(ctx, {
    changes: [
      {
        statements: updateTagRow(ctx, before, changed),
        events: [tagEvents.updated({ id, version }, { before, after })],
      },
    ],
    result: { ...after, version, updatedAt: ctx.now },
    conflicts,
  })
}

const snapshotOf = ({ transactionCount: _, ...tag }: TagRow) => tag

/** Deletes a tag, and takes it off everything that has it. */
export async function deleteTag(ctx: SignedIn, id: string): Promise<void> {
  const [[found], labels] = await read(ctx, tagById(ctx, id), labelsTo(ctx, 'tag', [id]))
  const tag = existing(found)
  requireVersion(ctx, tag.version)
  requireMovable(labels, tagErrors.tooManyLinks)
  const untagged = moveLabels(ctx, 'tag', { from: [id], to: undefined }, labels)
  const row = snapshotOf(tag)
  await commit(ctx, {
    changes: [
      {
        statements: [
          ...untagged.statements,
          ...deleteTagRow(ctx, tag),
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
    tagById(ctx, id),
    tagById(ctx, otherId),
    labelsTo(ctx, 'tag', [otherId]),
  )
  existing(tag)
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
        statements: [...retagged.statements, ...deleteTagRow(ctx, other)],
        events: [
          tagEvents.merged(
            { id: otherId, version: other.version },
            { before: snapshotOf(other), into: id },
          ),
          ...retagged.events,
        ],
      },
    ],
    result: undefined,
  })
}
