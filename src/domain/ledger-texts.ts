/** How many tags a transaction or a part may have. */
export const MOST_TAGS = 50

/** How long the texts of a transaction may be. */
export const LONGEST_TEXTS = {
  description: 500,
  payeeRaw: 500,
  note: 2000,
  /** Of a part or a fee. Those of files are notes of transactions in them. */
  lineNote: 500,
  /** An id that somebody sends; banks have longer ones. */
  externalId: 200,
  bankId: 255,
  placeName: 200,
} as const
