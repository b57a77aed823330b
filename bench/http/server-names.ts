/** The servers, in the order of the tables. */
export const serverNames = ["node", "koa", "sqlite", "postgres", "ours", "cached", "limited"] as const;
export type ServerName = (typeof serverNames)[number];

/** Those that are our service. */
export type OurName = "ours" | "cached" | "limited";

/** As they stand in the tables. */
export const serverTitles: Readonly<Record<ServerName, string>> = {
  node: "bare node:http, the floor",
  koa: "bare Koa + router",
  sqlite: "Fastify + SQLite",
  postgres: "Fastify + PostgreSQL",
  ours: "ours",
  cached: "ours, answer cache",
  limited: "ours, rate limits on",
};
