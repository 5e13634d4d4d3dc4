import { setTimeout as pause } from 'node:timers/promises'
import { deflateRawSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import '../../src/hosts/node/globals.ts'
import { someBytes } from '../support/of-file.ts'

const TEXT = Buffer.from(someBytes(200_000)).toString('hex')
const PACKED = deflateRawSync(TEXT)

function unpacked(packed: Uint8Array, cancelled: () => void = () => undefined) {
  let at = 0
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at < packed.length) {
        controller.enqueue(packed.subarray(at, (at += 10_000)))
      } else {
        controller.close()
      }
    },
    cancel: cancelled,
  })
  return source.pipeThrough(new DecompressionStream('deflate-raw'))
}

describe('what unpacks a stream', () => {
  it('gives what was packed', async () => {
    expect(await new Response(unpacked(PACKED)).text()).toBe(TEXT)
  })

  it.each([
    ['is damaged', PACKED.map((byte, at) => (at > 1000 ? byte ^ 0xff : byte))],
    ['ends too early', PACKED.subarray(0, 100_000)],
    ['goes on behind its end', Buffer.concat([PACKED, PACKED])],
  ])('breaks with a TypeError where that %s', async (_, packed) => {
    await expect(Array.fromAsync(unpacked(packed))).rejects.toBeInstanceOf(TypeError)
  })

  it('ends nothing else when nobody wants more, wherever that is, and lets its source go', async () => {
    const thrown: unknown[] = []
    const note = (error: unknown) => thrown.push(error)
    process.on('uncaughtException', note)
    let cancelled = 0
    for (let turn = 0; turn < 30; turn++) {
      const reader = unpacked(PACKED, () => cancelled++).getReader()
      for (let read = 0; read < turn % 3; read++) {
        await reader.read()
      }
      // By then it has unpacked as much as it keeps.
      await pause(turn % 5)
      const read = turn % 2 === 0 ? reader.read() : await reader.read()
      await reader.cancel()
      await read
    }
    await pause(5)
    process.off('uncaughtException', note)
    expect([thrown, cancelled]).toEqual([[], 30])
  })
})
