/** What somebody needs to know before they use an operation, beyond its summary. */
export const TEXTS: Record<string, string> = {}
