import { createHash } from 'node:crypto'
import { zip } from '../../../src/platform/files/zip.ts'

// Archives that are not as the service made them.

export type Files = Record<string, Uint8Array>

export async function packed(files: Files): Promise<Uint8Array> {
  const members = async function* () {
    for (const [name, bytes] of Object.entries(files)) {
      yield {
        name,
        body: (async function* () {
          yield bytes
        })(),
      }
    }
  }
  const pieces: Uint8Array[] = []
  for await (const piece of zip(members(), 0, () => undefined)) {
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

export const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
export const bytes = (value: string) => new TextEncoder().encode(value)
const hashOf = (value: Uint8Array) => createHash('sha256').update(value).digest('hex')

/** The files with others in place of some, and a manifest that fits them. */
export function withManifest(
  files: Files,
  changed: Record<string, string>,
  more: object = {},
): Files {
  const all: Files = { ...files }
  const manifest = JSON.parse(text(files['manifest.json']))
  for (const [path, value] of Object.entries(changed)) {
    all[path] = bytes(value)
    const file = manifest.files.find((one: { path: string }) => one.path === path)
    file.sha256 = hashOf(all[path])
    file.size = all[path].length
    const list = path.replace(/\.ndjson$/, '')
    if (list in manifest.counts && path.startsWith('data/')) {
      manifest.counts[list] = value.split('\n').filter(Boolean).length
    }
  }
  delete manifest.contentHash
  return { ...all, 'manifest.json': bytes(JSON.stringify({ ...manifest, ...more })) }
}
