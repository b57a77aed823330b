/** The pictures of a page, as their process draws them. */
import t from "tap";
import { PictureMaker, pictureLimits } from "../../../src/service/serve/picture-maker.ts";
import { serviceParts } from "../../../src/service-parts.ts";
import { darkPixels, readPng } from "../../support/read-png.ts";
import { attributesOf, dataset, get, product, publicUrl, start } from "../../support/shared-pages.ts";

t.test("each chart is a PNG with its texts, and the card is as large as its page says", async (t) => {
  const maker = new PictureMaker({
    script: serviceParts.pictureProcess,
    log: { error: ({ err }: { err?: Error }) => t.fail(String(err)) },
    // Other tests run at the same time.
    limits: { ...pictureLimits, drawMilliseconds: 120_000 },
  });
  t.teardown(() => maker.stop());
  const app = await start(t, { publicUrl }, (svg) => maker.draw(svg));
  const { text } = await get(app, product);
  const links = attributesOf(text, /<a href/).filter((link) => link.includes("picture="));
  t.not(links.length, 0);
  for (const link of links) {
    const { headers, bytes } = await get(app, link, { "Accept-Encoding": "gzip, br, zstd" });
    const name = new URL(link, publicUrl).searchParams.get("picture");
    t.match(headers, {
      "content-type": "image/png",
      "content-encoding": undefined,
      "content-disposition": `attachment; filename="${name}-${dataset.snapshot.id}.png"`,
    });
    const picture = readPng(bytes);
    const [, width = 0, height = 0] =
      /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec((await get(app, link.replace("picture=", "chart="))).text)?.map(Number) ??
      [];
    t.strictSame([picture.width, picture.height], [2 * width, Math.ceil(2 * height)]);
    t.ok(darkPixels(picture, 32, 20, 200, 36) > 100, "title");
    t.ok(darkPixels(picture, 32, 70, 200, 26) > 30, "subtitle");
    t.ok(darkPixels(picture, 32, picture.height - 58, 300, 24) > 30, "source");
  }
  const card = await get(app, `${product}?picture=card`);
  t.equal(card.headers["content-disposition"], undefined);
  const picture = readPng(card.bytes);
  t.strictSame(attributesOf(text, /<meta property="og:image:(?:width|height)" content/), [
    String(picture.width),
    String(picture.height),
  ]);
  t.strictSame([picture.width, picture.height], [1200, 630]);
  for (const [name, top] of Object.entries({ title: 30, sentence: 84, source: 598 })) {
    t.ok(darkPixels(picture, 40, top, 300, 24) > 50, name);
  }
});
