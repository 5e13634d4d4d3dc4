/** `npm run client-types`: writes the types of clients, which the type check of the tests needs. */
import { writeClientTypes } from './lib/client-types.ts'

await writeClientTypes()
