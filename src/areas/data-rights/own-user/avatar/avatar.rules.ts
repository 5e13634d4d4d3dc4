export const MOST_BYTES = 512 * 1024

/** By media type, the name that a download gets. */
export const PICTURES: Record<string, string> = {
  'image/png': 'avatar.png',
  'image/jpeg': 'avatar.jpg',
  'image/webp': 'avatar.webp',
}
