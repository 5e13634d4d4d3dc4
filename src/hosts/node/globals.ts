// What a Worker finds in its global scope and Node does not have. To be imported ahead of the service's own code.

/** The stream that tells R2 how much will come. Files in a folder need not know. */
class StreamOfAnyLength extends TransformStream<Uint8Array, Uint8Array> {
  constructor(_length: number | bigint) {
    super()
  }
}

Object.assign(globalThis, { FixedLengthStream: StreamOfAnyLength })
