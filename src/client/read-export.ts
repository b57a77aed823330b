/** Whole tables, row by row while they arrive. */
import { checkFields, type FieldValues, queryText } from "./call-operation.ts";
import { exportTable } from "./generated-api.ts";
import type { ExportFields, ExportName, ExportRow } from "./operation-types.ts";
import type { CallOptions, Send } from "./send-request.ts";

/**
 * Reads an export. All rows are of one snapshot. Iterating sends the request; ending the iteration early cancels it.
 *
 * @throws {ApiError} Before the first row, when the answer is no success.
 * @throws {TypeError} With a field that the export does not have, or when the connection ends before the export does.
 */
export async function* readExport<Name extends ExportName>(
  send: Send,
  name: Name,
  fields?: ExportFields<Name>,
  options: CallOptions = {},
): AsyncGenerator<ExportRow<Name>, void, undefined> {
  const values = (fields ?? {}) as FieldValues;
  checkFields(`The export of ${name}`, values, exportTable[name].fields);
  const target = exportTable[name].path + queryText(values);
  const response = await send({ method: "GET", target, body: "", headers: {} }, options);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let isWhole = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() as string;
      for (const line of lines) yield JSON.parse(line) as ExportRow<Name>;
    }
    isWhole = true;
  } finally {
    // A reader that stops does not wait for the rest.
    if (!isWhole) await reader.cancel().catch(() => undefined);
  }
  if (rest !== "") throw new TypeError(`The export of ${name} ends within a row, expected whole lines.`);
}
