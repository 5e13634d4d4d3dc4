/** `npm run db:seed`: loads the demo data into an empty development database. */
import './lib/dev-globals.ts'
import { ensureDemoData } from './lib/demo-data.ts'
import { devFolder } from './lib/project.ts'

const isLoaded = await ensureDemoData(devFolder())
console.log(isLoaded ? 'It is loaded.' : 'The database has users already; left as it is.')
