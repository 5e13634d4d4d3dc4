/** Little things that begin like what they are. */
export const latin = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (letter) => letter.charCodeAt(0))

export const PNG = latin('\x89PNG\r\n\x1A\n a picture')
export const PDF = latin('%PDF-1.7 a bill')

const number = (value: number, size: number) =>
  String.fromCharCode(...Array.from({ length: size }, (_, at) => (value >> (8 * at)) & 0xff))

/** An archive with members of these names, each with nothing in it. */
export function zipOf(...names: string[]): Uint8Array<ArrayBuffer> {
  const rest = (name: string) => number(0, 22) + number(name.length, 2) + number(0, 2)
  const members = names.map((name) => `PK\x03\x04${rest(name)}${name}`)
  const entries = names.map(
    (name) => `PK\x01\x02${number(0, 2)}${rest(name)}${number(0, 14)}${name}`,
  )
  const [body, directory] = [members.join(''), entries.join('')]
  const end = number(directory.length, 4) + number(body.length, 4) + number(0, 2)
  return latin(
    `${body}${directory}PK\x05\x06${number(0, 4)}${number(names.length, 2).repeat(2)}${end}`,
  )
}
