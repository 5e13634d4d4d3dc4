import budgets from './texts/budgets.json' with { type: 'json' }
import identity from './texts/identity.json' with { type: 'json' }
import imports from './texts/imports.json' with { type: 'json' }
import money from './texts/money.json' with { type: 'json' }
import others from './texts/others.json' with { type: 'json' }

/**
 * What somebody needs to know before they use an operation, beyond its summary, by operation. These texts are apart from the
 * routes, so that no release carries them.
 */
export const TEXTS: Record<string, string> = {
  ...identity,
  ...money,
  ...budgets,
  ...imports,
  ...others,
}
