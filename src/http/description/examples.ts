/** Bodies that work with the demo data, by operation. Each is sent by a test. */
export const BODY_EXAMPLES: Record<string, object> = {}
