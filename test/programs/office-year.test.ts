/** The year of a county office in scripts/office-year.sh; another program counts after each step. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { runProcess } from "../cli/run-script.ts";
import { copyProject } from "../support/project-copy.ts";
import { projectFolder } from "../support/test-files.ts";

const flour = "f3faf40b-e013-51db-8734-96f1c3e4ce4e";
const beef = "3c027d3b-8472-5ecb-bd5f-78929559820b";
/** Withdrawn after the snapshot that is gone back to. */
const other = "530769d7-198e-5fb3-8ceb-c0c09b3bb742";

interface Counted {
  readonly prices: number;
  readonly sources: Readonly<Record<string, number>>;
  /** The price of each uuid that was requested. */
  readonly of: Readonly<Record<string, number | null>>;
  /** The prices of the office, least first. */
  readonly own: readonly number[];
  /** Whether an export has these prices and no others. */
  readonly same: boolean;
}

/** What the files hold after each step: prices of the feed and of the office, the flour, and whether beef is there. */
const steps: readonly (readonly [title: string, feed: number, own: readonly number[], flour: number, beef: boolean])[] =
  [
    ["as bundled", 26_714, [], 100, true],
    ["an import", 26_714, [145.5, 900, 1475], 100, true],
    ["three corrections", 26_714, [145.5, 147.5, 936], 105, true],
    ["a table in thousands", 26_714, [145.5, 147.5, 150, 936], 105, true],
    ["a renamed market", 26_714, [145.5, 147.5, 150, 155, 936], 105, true],
    ["a withdrawal", 26_713, [145.5, 147.5, 150, 155, 936], 105, false],
    ["the first feed, approved", 26_712, [145.5, 147.5, 150, 155, 936], 105, false],
    ["a draft that is rejected", 26_712, [145.5, 147.5, 150, 155, 936], 105, false],
    ["the second feed", 26_713, [145.5, 147.5, 150, 155, 936], 105, false],
    ["a rollback", 26_711, [145.5, 147.5, 150, 155, 936], 105, false],
    ["a restore", 26_711, [145.5, 147.5, 150, 155, 936], 105, false],
  ];

const lacksPython = spawnSync("python3", ["--version"]).status !== 0 && "python3 is not installed";

t.test("the year of a county office, step by step", { skip: lacksPython, timeout: 360_000 }, async (t) => {
  const text = readFileSync(join(projectFolder, "scripts/office-year.sh"), "utf8");
  const blocks = text.split(/^(?=# Step: )/m).slice(1);
  t.equal(blocks.length, steps.length + 1, "a block a step, and one that removes what they made");
  const root = await copyProject(t);
  const before = readdirSync(root).sort();
  const program = join(import.meta.dirname, "count_published.py");
  const count = [
    "rm -f counted.ndjson",
    "npm run --silent snapshot -- export --format ndjson --table prices --out counted.ndjson > counted.log",
    `echo "counted: $(python3 "${program}" practice counted.ndjson ${flour} ${beef} ${other})"`,
    "rm counted.ndjson counted.log",
  ].join("\n");
  const script = blocks.map((text, index) => (index < steps.length ? `${text}\n${count}\n` : text)).join("");
  const { code, stdout } = await runProcess("sh", ["-c", `set -e\nexec 2>&1\n${script}`], root);
  t.equal(code, 0, stdout.slice(-2000));
  t.same(readdirSync(root).sort(), before, "nothing is left");
  const counted = [...stdout.matchAll(/^counted: (.*)$/gm)].map(([, text = ""]) => JSON.parse(text) as Counted);
  for (const [index, [title, feed, own, priceOfFlour, isBeefThere]] of steps.entries()) {
    const found = counted[index];
    t.same(found?.prices, feed + own.length, `${title}: prices`);
    t.same(
      found?.sources,
      { WFP: feed, ...(own.length === 0 ? {} : { "Kitui County": own.length }) },
      `${title}: sources`,
    );
    t.same(found?.own, own, `${title}: prices of the office`);
    const { [flour]: flourFound, [beef]: beefFound, [other]: otherFound } = found?.of ?? {};
    t.same([flourFound, beefFound], [priceOfFlour, isBeefThere ? 10 : null], `${title}: flour and beef`);
    const isGone = index >= steps.findIndex(([step]) => step === "a rollback");
    t.equal(otherFound === null, isGone, `${title}: the price that is withdrawn before the rollback`);
    t.equal(found?.same, true, `${title}: an export has the same prices`);
  }
  for (const shown of [
    '"thousands" in row 1 "Prices in thousands of shillings", but "scale" is 1',
    '"US dollars" in row 1',
    "152 struck through",
    "conflicts: 1, own kept",
    "rejected ",
    "announcement 17: ",
    "is as it was published",
    "price 100 → 105",
    "10 KES per kg",
    "kitui.csv, row ",
  ]) {
    t.match(stdout, shown, `shown: ${shown}`);
  }
});
