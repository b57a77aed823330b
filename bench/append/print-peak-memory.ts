/** Loaded before a command: writes the greatest resident size of its process, in KiB, to the file of `PEAK_FILE`. */
import { writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const path = process.env["PEAK_FILE"];
// npm starts processes of its own; the largest of all is that of the command.
if (path !== undefined && isMainThread) {
  process.on("exit", () => writeFileSync(path, `${process.resourceUsage().maxRSS}\n`, { flag: "a" }));
}
