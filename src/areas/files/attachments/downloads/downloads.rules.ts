/** A link that is handed on cannot be taken back for itself, so it is short-lived. */
export const LONGEST_MINUTES = 60

/** What a signed link says. It lets in as far as the credential that it was asked for with, and no longer. */
export interface SignedLink {
  attachmentId: string
  userId: string
  sessionId: string | null
  tokenHash: string | null
  expiresAt: number
}
