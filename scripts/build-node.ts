/** `npm run build:node`: writes the release for Node to dist/node. */
import { buildNodeRelease } from './lib/node-release.ts'

console.log(`The release for Node: ${await buildNodeRelease()}`)
