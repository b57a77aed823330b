/** The process of the load generator; idle between its calls. */
import { answerCalls } from "../../calls/answer-calls.ts";
import { runLoad } from "./run-load.ts";

answerCalls({ run: runLoad });
process.on("disconnect", () => process.exit());
