/** The process of the clients; idle between its calls. */
import { answerCalls } from "../calls/answer-calls.ts";
import { offerLoad } from "./offer-load.ts";

answerCalls({ offer: offerLoad });
process.on("disconnect", () => process.exit());
