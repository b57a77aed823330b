/** The thread behind a client of `PriceReaders`. */
import { answerRequests } from "../../threads/worker-client.ts";
import { ReaderTasks } from "./price-readers.ts";

const tasks = new ReaderTasks();
answerRequests(tasks.perform.bind(tasks));
