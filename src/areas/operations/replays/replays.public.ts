export { unseenIn } from './replays.queries.ts'
