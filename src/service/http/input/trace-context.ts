/**
 * The ids of a client's trace, for the log. Source: W3C Trace Context, level 1, https://www.w3.org/TR/trace-context/
 */

/** The fields of a log line; their names are those of the standard. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly trace_id: string;
  /** The span of the client that sent the request: 16 lower-case hexadecimal digits, not all zero. */
  readonly parent_id: string;
  /** Two lower-case hexadecimal digits; the last bit says that the client records the trace. */
  readonly trace_flags: string;
}

/** Version, trace id, parent id, flags; only later versions may have more, behind a dash. Version ff is invalid. */
const traceparentExpression =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/s;

/**
 * The ids in a `traceparent` header.
 *
 * @returns undefined when the header is absent or malformed, which the standard says to ignore. Several headers, which
 *   Node joins with a comma, are malformed.
 */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  if (header === undefined) return undefined;
  const [, version, traceId, parentId, flags, rest] = traceparentExpression.exec(header) ?? [];
  if (traceId === undefined || parentId === undefined || flags === undefined) return undefined;
  if (version === "00" && rest !== undefined) return undefined;
  return { trace_id: traceId, parent_id: parentId, trace_flags: flags };
}
