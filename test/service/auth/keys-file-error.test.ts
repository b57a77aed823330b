import t from "tap";
import { KeysFileError } from "../../../src/service/auth/keys-document.ts";

t.test("a KeysFileError names its file, and keeps code and cause", async (t) => {
  const cause = new Error("disk");
  const error = new KeysFileError("KEYS_FILE_UNREADABLE", "keys.json", "cannot be read", { cause });
  t.match(error, { message: "keys.json: cannot be read", code: "KEYS_FILE_UNREADABLE", path: "keys.json", cause });
});
