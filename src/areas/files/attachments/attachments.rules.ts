export const LINK_KINDS = ['transaction', 'account'] as const

export type LinkKind = (typeof LINK_KINDS)[number]

/** How many things a file is attached to at most: all of them are shown with it. */
export const MOST_LINKS = 100

/** How many files there are of one thing at most. An account collects its statements for decades. */
export const MOST_FILES = { transaction: 100, account: 500 }

/** How long a deleted file can be restored. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Less than the 255 bytes that a name may have on Linux. */
const MOST_BYTES = 200

/** What Windows opens no file under, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** Where the bytes of a file are in the archive of a backup: a name that no file system minds, below an id. */
export function archivePathOf({ id, fileName }: { id: string; fileName: string }): string {
  const plain = fileName.replaceAll(/[\p{C}/\\:*?"<>|]/gu, '_')
  const name = endOf(plain)
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .replace(DEVICE, '_$&')
  return `files/${id}/${name === '' ? 'file' : name}`
}

/** As much of the end, where the type is, as a name may have. Letters may be two units long, and half of one is none. */
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

/** What a signed link says. It lets in as far as the credential that it was asked for with, and no longer. */
export interface SignedLink {
  attachmentId: string
  userId: string
  sessionId: string | null
  tokenHash: string | null
  expiresAt: number
}
