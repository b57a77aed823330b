/** The servers of the race, in the order of the tables. */
export const serverNames = ["node", "koa", "sqlite", "postgres", "ours", "cached"] as const;
export type ServerName = (typeof serverNames)[number];

/** As they stand in the tables. */
export const serverTitles: Readonly<Record<ServerName, string>> = {
  node: "node:http, prepared bodies",
  koa: "Koa + router, prepared bodies",
  sqlite: "Fastify + SQLite",
  postgres: "Fastify + PostgreSQL",
  ours: "ours",
  cached: "ours, answer cache",
};
