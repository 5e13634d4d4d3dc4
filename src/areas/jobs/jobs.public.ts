export { presentStarted } from './jobs.presenters.ts'
export { StartedJobResponse } from './jobs.schemas.ts'
export { newJob } from './jobs.usecases.ts'
