/** The command lines that messages and manuals of commands name, as the person who reads them types them. */

/** The commands, by the words that name them in the package; in a clone each is an npm script. */
const npmScripts = {
  keys: "keys",
  sign: "sign",
  snapshot: "snapshot",
  reload: "reload",
  "import csv": "import:csv",
  "import wfp": "import:wfp",
} as const;

export type CommandName = keyof typeof npmScripts;

/** How the program was started: in a clone, by the command of the package, or by `npx` for that command. */
export type StartedBy = "clone" | "package" | "npx";

/** How this program was started. The package has JavaScript alone, a clone no JavaScript made of it. */
export function startedBy(): StartedBy {
  if (import.meta.filename.endsWith(".ts")) return "clone";
  return process.env["npm_lifecycle_event"] === "npx" ? "npx" : "package";
}

/**
 * The beginning of a command line, ready for arguments: `npm run keys --` or `kenya-farm-prices keys`.
 *
 * @param isPiped Whether a program reads what it prints: npm is then to print nothing of its own.
 */
export function commandLine(name: CommandName, { isPiped = false, by = startedBy() } = {}): string {
  if (by === "clone") return `npm run ${isPiped ? "--silent " : ""}${npmScripts[name]} --`;
  return `${by === "npx" ? "npx " : ""}kenya-farm-prices ${name}`;
}
