/** nginx with the deployed files, for trials and tests: only ports, certificates, folders and logs are theirs. */
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** The site in front of the service, with an instance at each of the ports. The folder has its certificate in `tls`. */
export async function serviceSite(folder: string, tlsPort: number, ports: readonly number[]): Promise<string> {
  const servers = ports.map((port) => `  server 127.0.0.1:${port} max_fails=0;\n`).join("");
  const site = await deployedSite("farm-prices.nginx.conf", folder, tlsPort);
  return site.replace(/^ {2}server 127\.0\.0\.1:3000 .*\n {2}server 127\.0\.0\.1:3002 .*\n/m, servers);
}

/** The site of an origin. */
export async function originSite(folder: string, tlsPort: number, dataDirectory: string): Promise<string> {
  const site = await deployedSite("farm-prices-origin.nginx.conf", folder, tlsPort);
  return site.replace("root /srv/farm-prices;", `root "${dataDirectory}";`);
}

/** The same site without TLS. */
export function withoutTls(site: string): string {
  return site.replace(" ssl http2;", ";").replaceAll(/^ *ssl_.*\n/gm, "");
}

async function deployedSite(name: string, folder: string, tlsPort: number): Promise<string> {
  return (await readFile(join(import.meta.dirname, name), "utf8"))
    .replace("listen 443", `listen 127.0.0.1:${tlsPort}`)
    .replace(/^.*listen \[::\]:443.*\n/m, "")
    .replaceAll(/\/etc\/farm-prices\/(?:origin-)?tls\//g, `${join(folder, "tls")}/`)
    .replaceAll("/var/log/nginx/", `${folder}/`);
}

/**
 * Writes the files of an nginx that has this site and writes into the folder alone. It has one worker process, the
 * fewest that a machine may have, with the connections of Debian, raised as README.md says.
 *
 * @param name A folder of this name is made for it, so that several can have the same folder.
 * @returns The file to start it with: `nginx -c FILE`; it stays in the foreground.
 */
export async function writeNginxFiles(folder: string, name: string, site: string): Promise<string> {
  const own = join(folder, name);
  await mkdir(own);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path "${join(own, kind)}";`,
  );
  const main = `
    daemon off; worker_processes 1; pid "${join(own, "nginx.pid")}"; error_log "${join(own, "error.log")}";
    ${process.getuid?.() === 0 ? "user root;" : ""}
    events {
      worker_connections 768;
    }
    http { ${temporary.join(" ")} include "${join(own, "site.conf")}"; }`;
  await writeFile(join(own, "site.conf"), site);
  const file = join(own, "nginx.conf");
  await writeFile(file, main);
  await promisify(execFile)(join(import.meta.dirname, "raise-nginx-connections.sh"), [file]);
  return file;
}
