/**
 * The pages for people on the admin port, which the supervisor answers. They are loaded for the first request to one.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { adminConnectionsMax } from "../../contract/limits.ts";
import { Admission, admissionLimits, createAdmissionMemory } from "../http/admission/admission.ts";
import type { AppDependencies } from "../http/dependencies.ts";
import type { ExplorerDependencies } from "../http/page-routes.ts";
import type { DownloadsMaker } from "./downloads-maker.ts";

/** The limits of the admin port, or of its pages; counted for themselves. */
export function adminAdmission(): Admission {
  const limits = admissionLimits({ total: adminConnectionsMax, perAddress: adminConnectionsMax });
  return new Admission(createAdmissionMemory(0), limits, 0);
}

/** Answers a request to a page. */
export type AdminExplorer = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface AdminExplorerOptions
  extends Pick<AppDependencies, "currentStore" | "log">,
    Pick<ExplorerDependencies, "docsUrl"> {
  readonly dataDirectory: string;
  /** Makes downloads that are not there. */
  readonly downloads: DownloadsMaker;
}

export function adminExplorer(options: AdminExplorerOptions): AdminExplorer {
  const { dataDirectory, downloads, ...deps } = options;
  let handler: Promise<AdminExplorer> | undefined;
  return async (request, response) => {
    handler ??= load();
    const handle = await handler.catch((error: unknown) => {
      // The next request tries again: perhaps the process had no descriptor left to read a file.
      handler = undefined;
      throw error;
    });
    await handle(request, response);
  };

  async function load(): Promise<AdminExplorer> {
    const { createExplorerApp } = await import("../http/page-routes.ts");
    const { DownloadFiles } = await import("./download-files.ts");
    const { publicationList } = await import("./publication-list.ts");
    return createExplorerApp({
      ...deps,
      admission: adminAdmission(),
      downloads: new DownloadFiles(dataDirectory, async (wanted) => downloads.request(wanted)),
      listPublications: publicationList(dataDirectory),
    }).callback();
  }
}
