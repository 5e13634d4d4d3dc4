import { zip } from '../../../src/platform/zip.ts'

export type Files = Record<string, Uint8Array>

/** An archive of these files, as the service packs one. */
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
