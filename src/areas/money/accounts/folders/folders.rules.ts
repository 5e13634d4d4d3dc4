/** A list of folders is read and shown as a whole. */
export const MOST_GROUPS = 200
