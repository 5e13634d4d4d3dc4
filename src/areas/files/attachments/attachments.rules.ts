export const ATTACHMENT_LINK_KINDS = ['transaction', 'account'] as const

export type AttachmentLinkKind = (typeof ATTACHMENT_LINK_KINDS)[number]

/** The most links of a file: all of them are shown with it. */
export const MOST_ATTACHMENT_LINKS = 100

/** The most files of one thing. An account collects its statements for decades. */
export const MOST_FILES_OF_ONE = { transaction: 100, account: 500 }

/** A deleted file can be restored for this time. */
export const TRASHED_FILE_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Less than the 255 bytes that a name may have on Linux. */
const MOST_BYTES = 200

/** Matches names under which Windows opens no file, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** Returns the path of a file in the archive of a backup: a name that every file system accepts, below an id. */
export function archivePathOf({ id, fileName }: { id: string; fileName: string }): string {
  const plain = fileName.replaceAll(/[\p{C}/\\:*?"<>|]/gu, '_')
  const name = endOf(plain)
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .replace(DEVICE, '_$&')
  return `files/${id}/${name === '' ? 'file' : name}`
}

/**
 * Returns the longest end of a name that fits, because the end has the type. Letters may be two units long, and none
 * is cut in two.
 */
function endOf(name: string): string {
  const letters = [...name]
  let bytes = 0
  const first = letters.findLastIndex((letter) => {
    bytes += Buffer.byteLength(letter)
    return bytes > MOST_BYTES
  })
  return letters.slice(first + 1).join('')
}

/** A link that is handed on cannot be taken back for itself, so it is short-lived. */
export const LONGEST_MINUTES = 60

/**
 * The content of a signed link. The link gives the same access as the credential that requested it, and ends with it.
 */
export interface SignedLink {
  attachmentId: string
  userId: string
  sessionId: string | null
  tokenHash: string | null
  expiresAt: number
}
