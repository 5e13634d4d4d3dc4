import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { type Change, type DomainEvent, untold } from '../../../platform/events.ts'
import type { Statement } from '../../../platform/statements.ts'
import {
  categoryEvents,
  type CategoryImage,
  restoreCategory,
} from '../../categories/categories.public.ts'
import {
  categoriseLines,
  type Hung,
  type LabelledLine,
  linesOfPayee,
  linesOfTag,
  linesOfTrashedCategory,
  payLines,
  tagLines,
  takeFromTrash,
} from '../../../ledger/labels/labels.public.ts'
import { payeeEvents, type PayeeImage, restorePayee } from '../../payees/payees.public.ts'
import { restoreTag, tagEvents } from '../../tags/tags.public.ts'
import { trashErrors } from '../trash.errors.ts'
import { trashedRowOf } from '../trash.queries.ts'
import type { RowKind } from '../trash.rules.ts'
import { changedMeanwhile } from '../trash.usecases.ts'

type TagImage = { row: Parameters<typeof restoreTag>[1] }

/** What every kind has in common. */
type Image = Hung & { row: { id: string; version: number } }

const asImage = <Image>(image: Hung) => image as Hung & Image

/** The thing of an event, with the version that a row has in the trash. */
const inTrash = ({ id, version }: Image['row']) => ({ id, version })

/** The same of a row that came back. */
const broughtBack = ({ id, version }: Image['row']) => ({ id, version: version + 1 })

interface KeptRow {
  /** Of what hung on it, what may hang on it again. */
  linesOf: (ctx: SignedIn, id: string) => Statement<LabelledLine[]>
  /** Stores the row again, then gives it those lines. */
  bringBack: (ctx: SignedIn, image: Hung, lines: LabelledLine[]) => Change[]
  erased: (image: Hung) => DomainEvent
}

const KEPT_ROWS: Record<RowKind, KeptRow> = {
  tag: {
    linesOf: linesOfTag,
    bringBack: (ctx, image, lines) => {
      const { row, into } = asImage<TagImage>(image)
      return [
        {
          statements: [restoreTag(ctx, row)],
          events: [tagEvents.restored(broughtBack(row), { after: row })],
        },
        tagLines(ctx, { id: row.id, into }, lines, changedMeanwhile),
      ]
    },
    erased: (image) => {
      const { row } = asImage<TagImage>(image)
      return tagEvents.erased(inTrash(row), { before: row })
    },
  },
  payee: {
    linesOf: linesOfPayee,
    bringBack: (ctx, image, lines) => {
      const { row, aliases, into } = asImage<PayeeImage>(image)
      return [
        {
          statements: restorePayee(ctx, { row, aliases }),
          events: [payeeEvents.restored(broughtBack(row), { after: row })],
        },
        payLines(ctx, { id: row.id, into }, lines, changedMeanwhile),
      ]
    },
    erased: (image) => {
      const { row } = asImage<PayeeImage>(image)
      return payeeEvents.erased(inTrash(row), { before: row })
    },
  },
  category: {
    linesOf: linesOfTrashedCategory,
    bringBack: (ctx, image, lines) => {
      const category = asImage<CategoryImage>(image)
      const { row, into } = category
      return [
        {
          statements: restoreCategory(ctx, category, {
            tooMany: trashErrors.tooManyCategories,
            misshapen: trashErrors.placeTaken,
          }),
          events: [categoryEvents.restored(broughtBack(row), { after: row })],
        },
        categoriseLines(ctx, { id: row.id, into }, lines, changedMeanwhile),
      ]
    },
    erased: (image) => {
      const { row } = asImage<CategoryImage>(image)
      return categoryEvents.erased(inTrash(row), { before: row })
    },
  },
}

/** Brings a category, tag or payee back, and what hung on it and still is as it was left then. */
export async function bringBackRow<Kind extends RowKind>(
  ctx: SignedIn,
  kind: Kind,
  id: string,
): Promise<Kind> {
  const { linesOf, bringBack } = KEPT_ROWS[kind]
  const [[found], lines] = await read(ctx, trashedRowOf(ctx, kind, id), linesOf(ctx, id))
  if (!found) {
    throw trashErrors.notFound()
  }
  const image = JSON.parse(found.image) as Image
  return commit(ctx, {
    changes: [
      untold(takeFromTrash(ctx, image.row, changedMeanwhile)),
      ...bringBack(ctx, image, lines),
    ],
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
  const image = JSON.parse(found.image) as Image
  requireVersion(ctx, image.row.version)
  await commit(ctx, {
    changes: [
      {
        statements: takeFromTrash(ctx, image.row, changedMeanwhile),
        events: [KEPT_ROWS[kind].erased(image)],
      },
    ],
    result: undefined,
  })
}
