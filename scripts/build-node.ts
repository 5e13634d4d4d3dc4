/** `npm run build:node`: writes the release for Node to dist/node. */
import { buildNodeRelease, NODE_RELEASE } from './lib/node-release.ts'

await buildNodeRelease()
console.log(`The release for Node is in ${NODE_RELEASE}.`)
