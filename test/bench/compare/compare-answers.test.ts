import t from "tap";
import { type ComparedAnswer, compareAnswers } from "../../../bench/compare/compare-answers.ts";
import { makeQuestions } from "../../../bench/compare/random-requests.ts";
import { valuesOf } from "../../support/fields-of.ts";

const page = (text: string, headers: Record<string, string> = {}, status = 200): ComparedAnswer => {
  return { status, headers: new Headers({ "content-type": "text/html", ...headers }), text };
};

t.test("what belongs to one version of the code or to one moment is no difference", async (t) => {
  const ours = page('<link href="/explore/style.css?0123456789ab">', {
    etag: '"a"',
    "x-request-id": "1",
    date: "today",
  });
  const other = page('<link href="/explore/style.css?ba9876543210">', { etag: '"b"', "x-request-id": "2" });
  t.same(compareAnswers("page", ours, other), []);
  t.same(compareAnswers("error", page('{"request_id":"1"}'), page('{"request_id":"2"}')), []);
});

t.test("any other header, the body, the status and whether there is a tag are differences", async (t) => {
  const fieldOf = (ours: ComparedAnswer, other: ComparedAnswer) =>
    compareAnswers("q", ours, other).map(({ field }) => field);
  t.same(fieldOf(page("a", { "content-security-policy": "x" }), page("a")), ["content-security-policy"]);
  t.same(fieldOf(page("a"), page("a", { location: "/docs" })), ["location"]);
  t.same(fieldOf(page("a", { etag: '"a"' }), page("a")), ["etag"]);
  t.same(fieldOf(page("a", {}, 404), page("a")), ["status"]);
  t.same(fieldOf(page("<p>1</p>"), page("<p>2</p>")), ["body"]);
  t.same(fieldOf(page('<a href="/explore?q=abc">'), page('<a href="/explore?q=abd">')), ["body"]);
});

t.test("figures may differ in their last digits and no further", async (t) => {
  const average = (figure: number): ComparedAnswer => page(`{"average_price":${figure},"count":3}`);
  t.same(compareAnswers("q", average(41.0000001), average(41)), []);
  t.equal(compareAnswers("q", average(41.1), average(41))[0]?.field, "figure");
});

t.test("equal seeds give equal questions, about endpoints, pages in both languages, and documents", async (t) => {
  const uuids = ["8279063d-b290-5e29-a97f-e7b9ef6a7e2a"];
  const facts = {
    products: uuids,
    markets: uuids,
    counties: [1, 47],
    prices: uuids,
    units: ["kg"],
    categories: ["Grains"],
    words: ["maize"],
    days: ["2024-01-02"],
    documents: ["/docs", "/openapi.json", "/llms.txt"],
  };
  const questions = makeQuestions(facts, 3000, 1);
  const texts = questions.map(({ text }) => text);
  t.same(valuesOf(makeQuestions(facts, 3000, 1), "text"), texts);
  t.not(makeQuestions(facts, 1, 2)[0]?.text, texts[0]);
  const expected = [
    /^GET \/explore\?.*q=/,
    /^GET \/explore\/products\/8.*lang=sw/,
    /^GET \/explore\/products\/8.*lang=en/,
    /^GET \/sw\/explore\/products\//,
    /^GET \/explore\/products\/\S+ sw$/,
    /^GET \/explore\/compare\?.*series=\w+-/,
    /^GET \/explore\/(markets|counties)\//,
    /^GET \/explore\/data/,
    /^HEAD \/explore/,
    /^GET \/docs\/search\?q=maize/,
    /^GET \/openapi\.json/,
    /^GET \/llms\.txt/,
    /^POST \/api\/v1\/prices\/statistics /,
  ];
  for (const form of expected)
    t.ok(
      texts.some((text) => form.test(text)),
      String(form),
    );
  for (const { text, isOfEndpoint } of questions) {
    if (isOfEndpoint !== text.includes(" /api/v1")) t.fail(text);
  }
});
