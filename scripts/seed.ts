/** `npm run db:seed`: loads the demo data into an empty local database. */
import { loadDemoData } from './lib/demo-data.ts'
import { withLocalService } from './lib/local-service.ts'

const isLoaded = await withLocalService(loadDemoData)
console.log(
  isLoaded ? 'The demo data is loaded.' : 'The database has users already; left as it is.',
)
