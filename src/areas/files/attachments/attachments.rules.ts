export const LINK_KINDS = ['transaction', 'account'] as const

export type LinkKind = (typeof LINK_KINDS)[number]

/** How long a deleted file can be restored. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000

const MOST_LETTERS = 100

/** Where the bytes of a file are in the archive of a backup: a name that no file system minds, below an id. */
export function archivePathOf({ id, fileName }: { id: string; fileName: string }): string {
  // The end, where the type is; letters may be two units long, and half of one is none.
  const name = [...fileName]
    .slice(-MOST_LETTERS)
    .join('')
    .replaceAll(/[\p{C}/\\:*?"<>|]/gu, '_')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  return `files/${id}/${name === '' ? 'file' : name}`
}
