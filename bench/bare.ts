/** What the service is measured against: a Worker that runs one prepared statement and nothing else. */
export const BARE = `export default {
  async fetch(request, { DB }) {
    const { pathname } = new URL(request.url)
    if (pathname === '/read') {
      const { results } = await DB.prepare('SELECT id, name, system FROM roles WHERE id = ?1')
        .bind('rol_user').all()
      return Response.json({ results })
    }
    const body = await request.json()
    await DB.prepare('INSERT INTO bare (id, account_id, date, amount) VALUES (?1, ?2, ?3, ?4)')
      .bind(crypto.randomUUID(), body.accountId, body.date, body.amount).run()
    return Response.json(body, { status: 201 })
  }
}`

export const BARE_TABLE =
  'CREATE TABLE bare (id TEXT PRIMARY KEY, account_id TEXT NOT NULL, date TEXT NOT NULL, amount TEXT NOT NULL) STRICT'
