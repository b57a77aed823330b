/** The schema of error bodies. */
import { apiErrorCodes, apiErrors, fieldErrorCodes } from "../errors.ts";
import * as s from "../input/schema.ts";

const errorCategory = s.choice("ErrorCategory", "Kind of the error.", [
  ...new Set(apiErrorCodes.map((code) => apiErrors[code].error)),
]);

const errorCode = s.choice(
  "ErrorCode",
  apiErrorCodes.map((code) => `${code} (${apiErrors[code].status}): ${apiErrors[code].message}`).join("\n"),
  apiErrorCodes,
);

const fieldProblem = s.object("FieldProblem", "What is wrong with a field.", {
  field: s.text("Name of the parameter or field; [2] behind it is the third item of a list."),
  message: s.text("What was found and what was expected, for a person."),
  received: { description: "The value as received; null when there was none, or one that JSON cannot repeat." },
});

const snapshotMismatch = s.object(
  "SnapshotMismatch",
  "The snapshot asked for and the one served; only with SNAPSHOT_CHANGED.",
  {
    requested: s.text("The snapshot that the request asked for."),
    current: s.text("The snapshot that is served."),
  },
);

const errorFields = {
  error: errorCategory,
  message: s.text("What was found and what was expected, for a person."),
  code: errorCode,
  details: s.optional({
    anyOf: [
      s.list(fieldProblem, `The fields that are wrong; only with ${fieldErrorCodes.join(" and ")}.`),
      snapshotMismatch,
    ],
    description: "The fields that are wrong, or the snapshots that differ.",
  }),
  request_id: s.text("The name of the request in the log, also in X-Request-Id."),
};

export const errorSchema: s.Keywords = { ...s.exactly(errorFields), description: "Every error, whatever its status." };

export const problemSchema: s.Keywords = {
  ...s.exactly({
    type: s.text("Always about:blank."),
    title: s.text("Name of the status."),
    status: s.integer("The status.", s.noUnit),
    detail: s.text("The same as message."),
    ...errorFields,
  }),
  description: "The same with the members of RFC 9457, where the client accepts application/problem+json.",
};
