// The entry point of an operator (`main.js` of the release). The modules of the service need a newer Node to load at
// all, so this file imports them only after it has checked the version.

const LEAST_MAJOR = 24
const { node } = process.versions

if (Number.parseInt(node, 10) < LEAST_MAJOR) {
  process.stderr.write(
    `Coffer needs Node ${LEAST_MAJOR} or later, and this is Node ${node}. Install it, or use npm start in a checkout, which brings its own.\n`,
  )
  process.exitCode = 1
} else {
  // `main.ts`, bundled beside this file: scripts/lib/node-release.ts.
  await import(new URL('service.js', import.meta.url).href)
}
