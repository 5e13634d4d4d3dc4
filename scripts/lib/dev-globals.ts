/** The globals that the service's code finds in a development build. Import it ahead of anything from `src/`. */
import '../../src/hosts/node/globals.ts'

Object.assign(globalThis, { __DEV_BUILD__: true })
