import { readFile } from 'node:fs/promises'
import type { Host } from './host.ts'

/** Serves the API description from a file, as the release carries none itself. */
export const withDescription =
  (file: string) =>
  (next: Host['fetch']): Host['fetch'] =>
  async (request, remoteAddress) =>
    /^(?:GET|HEAD)$/.test(request.method) && new URL(request.url).pathname === '/openapi.json'
      ? new Response(await readFile(file), {
          headers: { 'Content-Type': 'application/json', 'X-Content-Type-Options': 'nosniff' },
        })
      : next(request, remoteAddress)
