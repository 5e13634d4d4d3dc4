// `npm test` tries what is slow or random a little, always the same; `npm run prove` tries it at length, and draws its chance.

export const isProof = process.env['COFFER_PROVE'] === '1'

/** How often, or how much: in `npm test`, and in `npm run prove`. */
export const rounds = (short: number, long: number): number => (isProof ? long : short)

/** The chance of every run of the tests: the same tests with the same data each time. */
const FIXED_SEED = 20_260_101

/** Where chance begins in this run. Tests say it, and `COFFER_SEED` begins there again. Only `npm run prove` draws it. */
export const SEED = Number(process.env['COFFER_SEED'] || FIXED_SEED)

/**
 * The cases that `npm test` tries of many: always the same, the first of each kind. All of them with `npm run prove`.
 * @param kindOf what tells a case from others that would fail with it
 */
export const oneOfEach = <Case>(
  cases: readonly Case[],
  kindOf: (one: Case, at: number) => unknown,
): Case[] => {
  if (isProof) {
    return [...cases]
  }
  const byKind = Map.groupBy(cases.entries(), ([at, one]) => kindOf(one, at))
  return [...byKind.values()].flatMap(([first]) => (first ? [first[1]] : []))
}

/** Whether a case is among those that `npm test` tries, one in so many by its place: always the same. */
export const isAmong = (at: number, oneIn: number): boolean => isProof || at % oneIn === 0

/** How much slower or larger than on a quiet machine what is measured may be in `npm test`. */
const MARGIN = 8

/**
 * A limit of time or memory. `npm test` may run on a busy machine, so that there only what is of another order exceeds it;
 * `npm run prove` takes it at its word.
 */
export const limit = (most: number): number => (isProof ? most : MARGIN * most)
