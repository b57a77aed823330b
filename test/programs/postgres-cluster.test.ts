import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import t from "tap";
import { findPrograms, startPostgresCluster, whyNoPostgres } from "../../bench/http/postgres-cluster.ts";

t.test("the programs are found in the path, else in the newest version of Debian, else not", async (t) => {
  const folder = t.testdir();
  const programs = (name: string): string => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    for (const program of ["initdb", "postgres"]) writeFileSync(join(path, program), "", { mode: 0o755 });
    return path;
  };
  const inPath = programs("path");
  const newest = programs("versions/15/bin");
  programs("versions/9/bin");
  const versions = join(folder, "versions");
  const empty = join(folder, "empty");
  t.equal(findPrograms([empty, inPath].join(delimiter), versions), inPath);
  t.equal(findPrograms(empty, versions), newest);
  t.equal(findPrograms(empty, empty), undefined);
});

t.test("a server starts, counts processor time, and leaves nothing", { skip: whyNoPostgres() ?? false }, async (t) => {
  const cluster = await startPostgresCluster();
  t.ok(existsSync(join(cluster.socketFolder, ".s.PGSQL.5432")), "it listens at its socket");
  t.ok(cluster.processorMicroseconds() > 0);
  await cluster.stop();
  t.notOk(existsSync(cluster.socketFolder));
});
