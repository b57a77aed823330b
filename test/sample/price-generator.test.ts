import t from "tap";
import { createPriceBlock } from "../../src/sample/price-block.ts";
import { PriceGenerator } from "../../src/sample/price-generator.ts";
import { createSampleFrame } from "../../src/sample/sample-frame.ts";

const options = { prices: 1000, seed: 3, products: 20, markets: 30, years: 2 };

t.test("batches of any size give the prices of one whole block", (t) => {
  const whole = createPriceBlock(1000);
  const wholeGenerator = new PriceGenerator(createSampleFrame(options));
  wholeGenerator.fill(whole, 1000);
  const generator = new PriceGenerator(createSampleFrame(options));
  const batch = createPriceBlock(333);
  for (let done = 0; done < 1000; ) {
    const count = Math.min(1 + (done % 333), 1000 - done);
    generator.fill(batch, count);
    t.same(batch.uuids.slice(0, count * 4), whole.uuids.slice(done * 4, (done + count) * 4));
    for (const column of ["products", "markets", "units", "currencies", "sources", "grades", "notes"] as const) {
      t.same(batch[column].slice(0, count), whole[column].slice(done, done + count), column);
    }
    for (const column of ["prices", "recordedAt", "createdAt", "updatedAt"] as const) {
      t.same(batch[column].slice(0, count), whole[column].slice(done, done + count), column);
    }
    done += count;
  }
  t.same(generator.texts, wholeGenerator.texts);
  t.end();
});

t.test("more prices than the block or the sample holds are refused", (t) => {
  const generator = new PriceGenerator(createSampleFrame(options));
  t.throws(() => generator.fill(createPriceBlock(10), 11), { message: "count is 11, expected at most 10" });
  generator.fill(createPriceBlock(1000), 1000);
  t.throws(() => generator.fill(createPriceBlock(1), 1), { message: "price 1001 is beyond the sample" });
  t.end();
});
