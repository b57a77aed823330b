/** IPv4, then IPv6. They stand for every address of the machine, of which loopback is one that works on it. */
const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * The URL under which this machine reaches a server.
 *
 * @param host The name or address that the server binds.
 * @returns Without a slash at its end.
 */
export function baseUrlOf(host: string, port: number): string {
  if (wildcards.has(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
