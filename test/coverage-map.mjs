import { existsSync } from "node:fs";

/** Mirrored tests cover their own source; behaviour, contract and golden tests cover nothing by accident. */
export default (testFile) => {
  const source = testFile.replace(/^test\//, "src/").replace(/\.test\.ts$/, ".ts");
  return existsSync(source) ? source : null;
};
