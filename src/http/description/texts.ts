import budgets from './texts/budgets.json' with { type: 'json' }
import identity from './texts/identity.json' with { type: 'json' }
import imports from './texts/imports.json' with { type: 'json' }
import money from './texts/money.json' with { type: 'json' }
import others from './texts/others.json' with { type: 'json' }

/**
 * The description of each operation beyond its summary. These texts are apart from the routes, so that no release
 * contains them.
 */
export const TEXTS: Record<string, string> = {
  ...identity,
  ...money,
  ...budgets,
  ...imports,
  ...others,
}
