/** Why a test cannot run here, as the option `skip` of tests; false where it can. */
import { existsSync } from "node:fs";

/** FIFOs, devices, modes of files, signals, a shell. */
export const lacksPosix: string | false = process.platform === "win32" && "Windows lacks what this needs of POSIX";

/** What is read below /proc, /dev/full, and ports that several listeners share. */
export const lacksLinux: string | false = process.platform !== "linux" && "this needs Linux";

export const isRoot: string | false = process.getuid?.() === 0 && "root may read and write everything";

export const isNotRoot: string | false = process.getuid?.() !== 0 && "only root may give files away";

/** A disk in memory, which is not that of the project. */
export const otherDisk = "/dev/shm";

export const lacksOtherDisk: string | false = !existsSync(otherDisk) && `${otherDisk} is not there`;
