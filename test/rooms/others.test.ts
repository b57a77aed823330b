import { runRoom } from "../support/run-room.ts";

await runRoom(import.meta.filename);
