declare namespace Cloudflare {
  interface Env {
    /** Something where the loops of tests shall run whole (`COFFER_WHOLE=1`), and not a part of them each time. */
    TEST_WHOLE: string
    TEST_MIGRATIONS: import('cloudflare:test').D1Migration[]
    /** A database without tables, for what none may be shared with. */
    SCRATCH: D1Database
  }
}

declare module '*?raw' {
  const text: string
  export default text
}
