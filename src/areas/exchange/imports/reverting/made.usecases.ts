import { AppError } from '../../../../domain/errors.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { deleteUnusedAccount } from '../../../money/accounts/accounts.public.ts'
import { deleteCategory } from '../../../money/categories/categories.public.ts'
import type { Made } from '../booking/making.usecases.ts'
import type { StoredImport } from '../imports.queries.ts'
import { MOST_KEPT, type Reverted } from './reverting.rules.ts'

/**
 * Moves accounts and categories to the trash that the import made and that nothing is left on, and tells which stay.
 * Killed within it, it begins anew: what is gone by then is not found any more.
 */
export async function withMade(
  owner: SignedIn,
  { made }: StoredImport,
  report: Reverted,
): Promise<Reverted> {
  const { accounts = [], categories = [] } = JSON.parse(made) as Made
  const staying: string[] = []
  for (const id of accounts) {
    if (!(await deleteUnusedAccount(owner, id))) {
      staying.push(id)
    }
  }
  // Those at the bottom were made last.
  for (const id of categories.toReversed()) {
    if (!(await deleteUnusedCategory(owner, id))) {
      staying.push(id)
    }
  }
  const kept = staying.map((id) => ({ id, reason: 'inUse' }))
  return { ...report, kept: [...report.kept, ...kept].slice(0, MOST_KEPT) }
}

async function deleteUnusedCategory(owner: SignedIn, id: string): Promise<boolean> {
  try {
    await deleteCategory(owner, id, undefined)
    return true
  } catch (error) {
    if (error instanceof AppError && error.kind === 'notFound') {
      return true
    }
    if (error instanceof AppError && error.code === 'categories.inUse') {
      return false
    }
    throw error
  }
}
