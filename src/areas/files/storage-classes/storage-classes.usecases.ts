import { foldKey } from '../../../domain/text.ts'
import { freshId, type SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import type { Change } from '../../../platform/log/events.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/database/paging.ts'
import { nothing } from '../../../platform/database/statements.ts'
import { storageClassErrors } from './storage-classes.errors.ts'
import { storageClassEvents, groupStorageEvents } from './storage-classes.events.ts'
import {
  classById,
  classesFor,
  type ClassRow,
  countOfClasses,
  defaultClass,
  deleteClass,
  insertClass,
  pageOfClasses,
  unmarkDefault,
  updateClass,
  type UsageAmounts,
  type Holder,
  pageOfHolders,
  totalOfHolders,
  assignClass,
  assignedGroupById,
} from './storage-classes.queries.ts'
import { type ClassContent, contentAfter, type SentContent } from './storage-classes.rules.ts'

export type StorageClass = Omit<ClassRow, 'isUsed'>

export async function listOwnStorageClasses(ctx: SignedIn): Promise<StorageClass[]> {
  const [found] = await read(ctx, classesFor(ctx))
  return found
}

export async function listStorageClasses(
  ctx: SignedIn,
  page: PageRequest,
): Promise<Page<StorageClass>> {
  const [found, [total]] = await read(ctx, pageOfClasses(page), countOfClasses())
  return { ...cutPage(found, page, ({ nameKey }) => [nameKey]), count: total?.count ?? 0 }
}

export async function getStorageClass(ctx: SignedIn, id: string): Promise<ClassRow> {
  const [[found]] = await read(ctx, classById(id))
  return existing(found)
}

function existing<Row>(found: Row | undefined): Row {
  if (!found) {
    throw storageClassErrors.notFound()
  }
  return found
}

export async function createStorageClass(
  ctx: SignedIn,
  content: ClassContent,
): Promise<StorageClass> {
  const [[standing]] = await read(ctx, defaultClass())
  const id = freshId(ctx, 'stc')
  const stamps = { version: 1, createdAt: ctx.now, updatedAt: ctx.now }
  return commit(ctx, {
    changes: [
      ...makingWay(ctx, content.isDefault ? standing?.id : undefined),
      {
        statements: [insertClass({ id, ...stored(content), ...stamps })],
        events: [storageClassEvents.created({ id, version: 1 }, { after: content })],
      },
    ],
    result: { id, ...content, ...stamps },
    conflicts,
  })
}

/** Updates a class. Existing files stay as they are: class, prefix and rules are those of new files. */
export async function updateStorageClass(
  ctx: SignedIn,
  id: string,
  sent: SentContent,
): Promise<StorageClass> {
  const [[found], [standing]] = await read(ctx, classById(id), defaultClass())
  const { isUsed: _, ...before } = existing(found)
  requireVersion(ctx, before.version)
  const after = contentAfter(before, sent)
  if (before.isDefault && !after.isDefault) {
    throw storageClassErrors.defaultStays({ field: 'isDefault' })
  }
  const becomesDefault = after.isDefault && !before.isDefault
  const version = before.version + 1
  return commit(ctx, {
    changes: [
      ...makingWay(ctx, becomesDefault ? standing?.id : undefined),
      {
        statements: updateClass(ctx, before, stored(after)),
        events: [storageClassEvents.updated({ id, version }, { before, after })],
      },
    ],
    result: { ...before, ...after, version, updatedAt: ctx.now },
    conflicts,
  })
}

export async function deleteStorageClass(ctx: SignedIn, id: string): Promise<void> {
  const { isUsed, ...before } = await getStorageClass(ctx, id)
  requireVersion(ctx, before.version)
  if (before.isDefault) {
    throw storageClassErrors.defaultStays()
  }
  if (isUsed) {
    throw storageClassErrors.inUse()
  }
  return commit(ctx, {
    changes: [
      {
        statements: deleteClass(before),
        events: [storageClassEvents.deleted({ id }, { before })],
      },
    ],
    result: undefined,
  })
}

const conflicts = {
  'storage_classes.name_key': () => storageClassErrors.nameTaken({ field: 'name' }),
}

const stored = ({ allowedTypes, ...content }: ClassContent) => ({
  ...content,
  nameKey: foldKey(content.name),
  allowedTypes: JSON.stringify(allowedTypes),
})

/** Takes the mark off the class that was the default until now, if there is one. */
const makingWay = (ctx: SignedIn, id: string | undefined): Change[] =>
  id === undefined
    ? []
    : [
        {
          statements: unmarkDefault(ctx, id),
          events: [
            storageClassEvents.updated(
              { id },
              { before: { isDefault: true }, after: { isDefault: false } },
            ),
          ],
        },
      ]

export interface Usage extends Page<Holder>, UsageAmounts {
  storageClassId: string
  quotaBytes: number | null
}

export async function getStorageClassUsage(
  ctx: SignedIn,
  id: string,
  page: PageRequest,
): Promise<Usage> {
  const [[found], holders, [total]] = await read(
    ctx,
    classById(id),
    pageOfHolders(id, page),
    totalOfHolders(id),
  )
  const { quotaBytes } = existing(found)
  const { bytes = 0, objects = 0, count = 0 } = total ?? {}
  return {
    ...cutPage(holders, page, (holder) => [String(holder.bytes), holder.id]),
    ...{ storageClassId: id, quotaBytes, bytes, objects, count },
  }
}

export interface Assignment {
  groupId: string
  storageClassId: string | null
}

/** Says where new files of a group go; those that it has stay where they are. */
export async function setGroupStorageClass(
  ctx: SignedIn,
  groupId: string,
  storageClassId: string | null,
): Promise<Assignment> {
  const [[group], [wanted]] = await read(
    ctx,
    assignedGroupById(groupId),
    storageClassId === null ? nothing<ClassRow>() : classById(storageClassId),
  )
  if (!group) {
    throw storageClassErrors.groupNotFound()
  }
  requireVersion(ctx, group.version)
  if (storageClassId !== null && !wanted) {
    throw storageClassErrors.unknown({ field: 'storageClassId' })
  }
  return commit(ctx, {
    changes: [
      {
        statements: assignClass(ctx, group, storageClassId),
        events: [
          groupStorageEvents.storageClassSet(
            { id: groupId, groupId, version: group.version + 1 },
            {
              before: { storageClassId: group.storageClassId },
              after: { storageClassId },
            },
          ),
        ],
      },
    ],
    result: { groupId, storageClassId },
  })
}
