/** Conditions on a tag, and on a time before which nothing has changed, with the status of their answer (RFC 9110). */
export function conditionsOf(tag: string, at: string, before: string): [number, Record<string, string>][] {
  return [
    [200, { "If-Match": tag }],
    [200, { "If-Match": `"a" , ${tag}` }],
    [200, { "If-Match": "*" }],
    [412, { "If-Match": `W/${tag}` }],
    [412, { "If-Match": '"a", "b"' }],
    [412, { "If-Match": "" }],
    [412, { "If-Match": '"a"', "If-None-Match": tag }],
    [304, { "If-Match": tag, "If-None-Match": tag }],
    [200, { "If-Match": tag, "If-Unmodified-Since": before }],
    [412, { "If-Match": '"a"', "If-Unmodified-Since": at }],
    [200, { "If-Unmodified-Since": at }],
  ];
}
