/** The entry file of a server thread: the service with the site. */
import { runServerThread } from "./service/serve/run-server-thread.ts";
import { site } from "./site/site.ts";

await runServerThread(site);
