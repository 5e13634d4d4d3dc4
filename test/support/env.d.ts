declare namespace Cloudflare {
  interface Env {
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** What `migratedAsSql` gives. */
    TEST_DATABASE: string[]
    /** A database without tables, for what none may be shared with. */
    SCRATCH: D1Database
  }
}

declare module '*?raw' {
  const text: string
  export default text
}
