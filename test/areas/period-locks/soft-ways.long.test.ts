import { tryWays } from './ways.fixtures.ts'

tryWays('soft')
