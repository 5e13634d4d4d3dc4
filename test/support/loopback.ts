import { exports } from 'cloudflare:workers'
import { type Answer, type AnyOptions, type AnyRoute, callOver } from './api.ts'
import { watched } from './canaries.ts'

// For tests of the protocol itself: requests that go through workerd's own HTTP server.

const serve = (request: Request): Promise<Response> => exports.default.fetch(request)

export const call = <Body>(route: AnyRoute, options: AnyOptions = {}): Promise<Answer<Body>> =>
  callOver(serve, route, options)

export const fetchRaw = (path: string, init?: RequestInit): Promise<Response> =>
  watched(new Request(`http://coffer.test${path}`, init), init?.body, serve)
