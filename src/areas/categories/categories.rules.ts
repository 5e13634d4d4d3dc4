import type { AppError } from '../../domain/errors.ts'
import { categoryErrors } from './categories.errors.ts'

const MOST_DEPTH = 5

export type CategoryKind = 'expense' | 'income'

export interface Parent {
  id: string
  kind: CategoryKind
  depth: number
}

/** Why a category of this kind may not stand under the parent; undefined when it may. */
export function whyNotUnder(parent: Parent, kind: CategoryKind): AppError | undefined {
  if (parent.kind !== kind) {
    return categoryErrors.kindMismatch({ field: 'parentId' })
  }
  return parent.depth >= MOST_DEPTH ? categoryErrors.tooDeep({ field: 'parentId' }) : undefined
}
