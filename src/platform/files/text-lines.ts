import { pauseRegularly } from '../work/pauses.ts'

/** The lines of a text in UTF-8 that comes in pieces, without their ends, with pauses between them. */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const pause = pauseRegularly()
  let waiting: string[] = []
  for await (const chunk of chunks) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    waiting.push(first)
    for (const piece of others) {
      yield waiting.join('')
      await pause()
      waiting = [piece]
    }
    await pause()
  }
  const last = waiting.join('')
  if (last !== '') {
    yield last
  }
}
