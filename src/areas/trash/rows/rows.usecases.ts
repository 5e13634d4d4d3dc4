import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import type { Statement } from '../../../platform/statements.ts'
import { type CategoryImage, restoreCategory } from '../../categories/categories.public.ts'
import {
  categoriseLines,
  type Hanging,
  type Hung,
  linesByTransaction,
  linesOfPayee,
  linesOfTag,
  linesOfTrashedCategory,
  type Moved,
  movedItems,
  payLines,
  tagLines,
  takeFromTrash,
  WHOLE,
} from '../../ledger/ledger.public.ts'
import { type PayeeImage, restorePayee } from '../../payees/payees.public.ts'
import { restoreTag } from '../../tags/tags.public.ts'
import { trashErrors } from '../trash.errors.ts'
import { trashedRowOf } from '../trash.queries.ts'
import type { RowKind } from '../trash.rules.ts'
import { changedMeanwhile } from '../trash.usecases.ts'

type TagImage = { row: Parameters<typeof restoreTag>[1] }

interface Restoring {
  field: Moved['field']
  /** Of what hung on it, what may hang on it again. */
  linesOf: (ctx: SignedIn, id: string) => Statement<(Hanging & { isWhole?: number })[]>
  /** Stores the row again, then gives it those lines. */
  writes: (ctx: SignedIn, image: Hung, lines: Hanging[]) => Statement[]
}

/** What every kind has in common. */
type Image = Hung & { row: { id: string; version: number } }

const asRow = <Image>(image: Hung) => image as Hung & Image

const HOW: Record<RowKind, Restoring> = {
  tag: {
    field: 'tagIds',
    linesOf: linesOfTag,
    writes: (ctx, image, lines) => {
      const { row } = asRow<TagImage>(image)
      return [restoreTag(ctx, row), ...tagLines(ctx, row.id, lines)]
    },
  },
  payee: {
    field: 'payeeId',
    linesOf: linesOfPayee,
    writes: (ctx, image, lines) => {
      const { row, aliases, into } = asRow<PayeeImage>(image)
      return [
        ...restorePayee(ctx, { row, aliases }),
        ...payLines(ctx, { id: row.id, into }, lines, changedMeanwhile),
      ]
    },
  },
  category: {
    field: 'categoryId',
    linesOf: linesOfTrashedCategory,
    writes: (ctx, image, lines) => {
      const category = asRow<CategoryImage>(image)
      const { row, into } = category
      return [
        ...restoreCategory(ctx, category, {
          tooMany: trashErrors.tooManyCategories,
          misshapen: trashErrors.placeTaken,
        }),
        ...(lines.length === 0
          ? []
          : categoriseLines(ctx, { id: row.id, into }, lines, changedMeanwhile)),
      ]
    },
  },
}

/** Brings a category, tag or payee back, and what hung on it and still is as it was left then. */
export async function bringBackRow<Kind extends RowKind>(
  ctx: SignedIn,
  kind: Kind,
  id: string,
): Promise<Kind> {
  const { field, linesOf, writes } = HOW[kind]
  const [[found], lines] = await read(ctx, trashedRowOf(ctx, kind, id), linesOf(ctx, id))
  if (!found) {
    throw trashErrors.notFound()
  }
  const image = JSON.parse(found.image) as Image
  return commit(ctx, {
    action: `${kind}.restored`,
    resource: { type: kind, id },
    changes: { after: image.row, lines: linesByTransaction(lines) },
    items: movedItems(
      field,
      id,
      lines.map(({ transactionId, line, isWhole }) => ({
        transactionId,
        line: isWhole ? WHOLE : line,
        targetId: image.into ?? '',
      })),
    ),
    writes: [...takeFromTrash(ctx, image.row, changedMeanwhile), ...writes(ctx, image, lines)],
    result: kind,
    conflicts: { name_key: () => trashErrors.nameTaken() },
  })
}

/** Erases one of them for good. */
export async function eraseRow(ctx: SignedIn, kind: RowKind, id: string): Promise<void> {
  const [[found]] = await read(ctx, trashedRowOf(ctx, kind, id))
  if (!found) {
    throw trashErrors.notFound()
  }
  const { row } = JSON.parse(found.image) as Image
  requireVersion(ctx, row.version)
  await commit(ctx, {
    action: `${kind}.erased`,
    resource: { type: kind, id },
    changes: { before: row },
    writes: takeFromTrash(ctx, row, changedMeanwhile),
    result: undefined,
  })
}
