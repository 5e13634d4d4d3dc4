const MOST_LETTERS = 100

/** Where the bytes of a file are in the archive: a name that no file system minds, below an id. */
export function pathOf({ id, fileName }: { id: string; fileName: string }): string {
  const name = fileName
    .replaceAll(/[\p{C}/\\:*?"<>|]/gu, '_')
    .replaceAll(/^[. ]+|[. ]+$/g, '')
    .slice(-MOST_LETTERS)
  return `files/${id}/${name === '' ? 'file' : name}`
}
