/** `npm run try -- NAME`: tries what is deployed with the real programs. Each says so where one is missing. */
import { type NamedProgram, runNamedProgram } from "../src/cli/named-programs.ts";

const trials: Readonly<Record<string, NamedProgram>> = {
  nginx: trial(
    "deploy/try-nginx.ts",
    "two instances behind nginx with TLS, under load, with publications and restarts",
  ),
  bucket: trial("scale-out/try-bucket.ts", "an empty bucket on this machine until Ctrl-C, to push to and to follow"),
  fleet: trial("scale-out/try-fleet.ts", "ten replicas behind nginx with faults, for three minutes"),
  monitoring: trial("deploy/try-monitoring.ts", "alert rules and dashboard in Prometheus"),
  clickhouse: trial("scale-out/try-clickhouse.ts", "the prices in two shards of ClickHouse, with the answers compared"),
  container: trial("deploy/try-container.sh", "the image, built and run without a container engine; as root"),
  npm: trial("try-npm.sh", "install, start and test with the versions of npm that are named"),
};

function trial(path: string, description: string): NamedProgram {
  return { file: new URL(path, import.meta.url), description };
}

runNamedProgram("try", trials);
