import { type Ports, systemPorts } from '../../src/platform/context.ts'

/** What `newId` asks of chance. */
const ID_BYTES = 10

let made = 0

/**
 * Clock and chance as ever, but that ids of one millisecond sort as they were made: a fast machine makes many, and a test
 * expects its things in the order in which it made them.
 */
export const testPorts: Ports = {
  ...systemPorts,
  random: (bytes) => {
    const found = systemPorts.random(bytes)
    if (bytes === ID_BYTES) {
      made += 1
      // In the part of an id that a restore keeps.
      new DataView(found.buffer).setUint32(0, made << 7)
    }
    return found
  },
}
