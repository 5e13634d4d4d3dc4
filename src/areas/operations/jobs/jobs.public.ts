export { presentStartedJob } from './jobs.contract.ts'
export { StartedJobResponse } from './jobs.contract.ts'
export { newJob } from './jobs.usecases.ts'
