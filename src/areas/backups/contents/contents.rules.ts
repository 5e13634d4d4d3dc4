const MOST_LETTERS = 100

/** Where the bytes of a file are in the archive: a name that no file system minds, below an id. */
export function pathOf({ id, fileName }: { id: string; fileName: string }): string {
  // The end, where the type is; letters may be two units long, and half of one is none.
  const name = [...fileName]
    .slice(-MOST_LETTERS)
    .join('')
    .replaceAll(/[\p{C}/\\:*?"<>|]/gu, '_')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
  return `files/${id}/${name === '' ? 'file' : name}`
}
