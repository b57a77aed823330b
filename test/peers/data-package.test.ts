/** The data package of the downloads: by the published profiles, and by what its own library reads from the files. */
import { cp, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import AjvDraft04 from "ajv-draft-04";
import t from "tap";
import { readCurrent } from "../../src/engine/snapshots/current-snapshot.ts";
import { makeDownloads } from "../../src/publishing/publish/make-downloads.ts";

const require = createRequire(import.meta.url);

/** What is used of the library, which has no types. */
const { Package } = require("datapackage") as {
  readonly Package: {
    load(
      descriptor: object,
      options: { readonly basePath: string },
    ): Promise<{ readonly errors: readonly Error[]; readonly resources: readonly LoadedResource[] }>;
  };
};

interface LoadedResource {
  readonly name: string;
  readonly tabular: boolean;
  /** @throws {Error} when a cell does not fit its field, or refers to a row that is not there. */
  read(options: { readonly relations: boolean }): Promise<readonly unknown[]>;
}

function profile(name: string): object {
  return require(`datapackage/lib/profiles/${name}.json`) as object;
}

interface FileRows {
  readonly name: string;
  readonly rows: number | null;
}

interface Descriptor {
  readonly resources: readonly { readonly name: string; readonly path: string; readonly profile: string }[];
}

t.test("the data package fits the published profiles, and the tables fit its schemas", async (t) => {
  const data = join(t.testdir({}), "data");
  await cp(join(import.meta.dirname, "../golden/three-counties/data"), data, { recursive: true });
  const { path } = await makeDownloads(data, await readCurrent(data));
  const text = await readFile(join(path, "datapackage.json"), "utf8");
  const descriptor = JSON.parse(text) as Descriptor;
  const ajv = new AjvDraft04.default({ strict: false, allErrors: true, validateFormats: false });
  t.ok(ajv.validate(profile("data-package"), descriptor), ajv.errorsText());
  t.ok(descriptor.resources.some((resource) => resource.profile === "tabular-data-resource"));
  for (const resource of descriptor.resources) {
    t.ok(ajv.validate(profile(resource.profile), resource), `${resource.name}: ${ajv.errorsText()}`);
  }
  // The library does not decompress.
  const plain = JSON.parse(text.replace('"prices.csv.gz"', '"prices.csv"')) as Descriptor;
  await writeFile(join(path, "prices.csv"), gunzipSync(await readFile(join(path, "prices.csv.gz"))));
  const loaded = await Package.load(plain, { basePath: path });
  t.strictSame(loaded.errors, []);
  const { files } = JSON.parse(await readFile(join(path, "metadata.json"), "utf8")) as { readonly files: FileRows[] };
  for (const resource of loaded.resources.filter(({ tabular }) => tabular)) {
    const rows = await resource.read({ relations: true });
    const written = files.find(
      ({ name }) => name.replaceAll(".", "-") === resource.name.replace(/^prices-csv$/, "prices-csv-gz"),
    );
    t.equal(rows.length, written?.rows, `${resource.name}: with all their references`);
  }
});
