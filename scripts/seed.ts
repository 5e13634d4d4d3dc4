/** `npm run db:seed`: loads the demo data into an empty local database. */
import { ensureDemoData } from './lib/demo-data.ts'

const isLoaded = await ensureDemoData()
console.log(isLoaded ? 'It is loaded.' : 'The database has users already; left as it is.')
