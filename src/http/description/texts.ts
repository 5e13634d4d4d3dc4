import { BUDGETS } from './texts/budgets.ts'
import { IDENTITY } from './texts/identity.ts'
import { IMPORTS } from './texts/imports.ts'
import { MONEY } from './texts/money.ts'
import { OTHERS } from './texts/others.ts'

/**
 * What somebody needs to know before they use an operation, beyond its summary, by operation. These texts are apart from the
 * routes, so that no release carries them.
 */
export const TEXTS: Record<string, string> = {
  ...IDENTITY,
  ...MONEY,
  ...BUDGETS,
  ...IMPORTS,
  ...OTHERS,
}
