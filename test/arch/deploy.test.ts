import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { inProject } from '../../scripts/lib/project.ts'

// What the files for a reverse proxy must say. docs/self-hosting.md names the servers that they were tried on.

describe.each([
  {
    file: 'deploy/Caddyfile',
    // Caddy redirects by itself unless the site without TLS is named.
    refusal: /^http:\/\/\{\$SITE:localhost\} \{\n\trespond "[^"]+" 403\n\}$/m,
    address: 'header_up X-Real-IP {remote_host}',
  },
  {
    file: 'deploy/nginx.conf',
    refusal: /listen \[::\]:80;\n[^}]*\n {4}return 403;\n\}/,
    address: 'proxy_set_header X-Real-IP $remote_addr;',
  },
])('$file', ({ file, refusal, address }) => {
  const text = readFileSync(inProject(file), 'utf8')

  it('refuses requests without TLS, and redirects none', () => {
    expect(text).toMatch(refusal)
    expect(text).not.toMatch(/\bredir\b|\breturn 30\d|\brewrite\b/)
  })

  it('overwrites the header that CLIENT_IP_HEADER names', () => {
    expect(text).toContain(address)
  })
})
