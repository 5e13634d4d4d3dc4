import { setImmediate as nextTurn } from 'node:timers/promises'

// The globals of a Worker that Node lacks, or has in another form. They must be imported before the service's own
// code.

/** The stream that tells R2 how much will come. Files in a folder need not know. */
class StreamOfAnyLength extends TransformStream<Uint8Array, Uint8Array> {
  constructor(_length: number | bigint) {
    super()
  }
}

const OfNode = DecompressionStream

/**
 * Node's own throws where nobody can catch it when it is cancelled right behind a read, as it is when a member of an archive is
 * refused: that would end the process. A turn later it does not.
 */
class UnpackingStream implements DecompressionStream {
  readonly readable: DecompressionStream['readable']
  readonly writable: DecompressionStream['writable']

  constructor(format: ConstructorParameters<typeof DecompressionStream>[0]) {
    const { readable, writable } = new OfNode(format)
    const reader = readable.getReader()
    this.writable = writable
    this.readable = new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await reader.read()
        if (done) {
          controller.close()
        } else {
          controller.enqueue(value)
        }
      },
      cancel: async (reason) => {
        await nextTurn()
        await reader.cancel(reason)
      },
    })
  }
}

Object.assign(globalThis, {
  FixedLengthStream: StreamOfAnyLength,
  DecompressionStream: UnpackingStream,
})
