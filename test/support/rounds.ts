// `npm test` tries what is slow or random a little, with other chances each time; `npm run prove` tries it at length.

export const isProof = process.env['COFFER_PROVE'] === '1'

/** How often, or how much: in `npm test`, and in `npm run prove`. */
export const rounds = (short: number, long: number): number => (isProof ? long : short)

/** Whether the case at this place is one of the few, one in so many, that `npm test` tries: other ones each time. */
export const isChosen = (at: number, of: number): boolean => isProof || (at + SEED) % of === 0

/** The chance of every run of `npm test`: the same tests with the same data each time. */
const FIXED_SEED = 20_260_101

/** Where chance begins in this run. Tests say it, and `COFFER_SEED` begins there again. Only `npm run prove` draws it. */
export const SEED = Number(
  process.env['COFFER_SEED'] ||
    (isProof ? crypto.getRandomValues(new Uint32Array(1))[0] : FIXED_SEED),
)
