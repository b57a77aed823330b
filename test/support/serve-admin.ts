/** The admin port of a service, which is still starting unless a test says otherwise. */
import type { Test } from "tap";
import { createAdminServer } from "../../src/service/serve/admin.ts";
import { adminAccess } from "../../src/service/serve/admin-access.ts";
import type { ServiceState } from "../../src/service/serve/service-state.ts";
import { listenOn } from "./listen-on.ts";
import { startingState } from "./starting-state.ts";

interface AdminOptions {
  readonly state?: ServiceState;
  readonly adminHost?: string | undefined;
  readonly adminNames?: readonly string[] | undefined;
}

/** Serves it on loopback, whatever ADMIN_HOST is. It ends with the test, which fails where a request does. */
export async function serveAdmin(
  t: Test,
  { state = startingState(), adminHost = "127.0.0.1", adminNames = [] }: AdminOptions = {},
): Promise<{ readonly port: number; readonly url: string }> {
  const { server } = createAdminServer(state, adminAccess(adminHost, adminNames), (error) => t.error(error));
  const port = await listenOn(t, server);
  return { port, url: `http://127.0.0.1:${port}` };
}
