/** Kinds whose ids are made of those of others have cores of their own: that of an opening is of its account. */
const FAMILIES: Record<string, string> = { txn: 'd', spl: 'd', trf: 'e', val: 'f' }

/**
 * The id of a thing of the demo data, so that what the description gives as an example works there.
 * @param nth which of its kind, from 1 to 11
 */
export const exampleId = (prefix: string, nth = 1): string =>
  `${prefix}_01k9v3q8m5t0w2x4y6z8a1b3${FAMILIES[prefix] ?? 'c'}${(4 + nth).toString(16)}`
