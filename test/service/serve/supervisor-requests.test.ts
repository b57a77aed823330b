import t from "tap";
import { SupervisorRequests } from "../../../src/service/serve/supervisor-requests.ts";

t.test("answers reach their requests in whatever order they come, each once", async (t) => {
  const sent: [number, string][] = [];
  const requests = new SupervisorRequests<string, string>((number, wanted) => sent.push([number, wanted]));
  const [first, second, third] = ["a", "b", "a"].map(requests.request);
  t.strictSame(sent, [
    [1, "a"],
    [2, "b"],
    [3, "a"],
  ]);
  requests.settle(3, "third");
  requests.settle(1, "first");
  requests.settle(1, "first again");
  requests.settle(4, "of no request");
  requests.settle(2, "second");
  t.strictSame(await Promise.all([first, second, third]), ["first", "second", "third"]);
});
