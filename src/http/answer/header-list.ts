/** Headers as Node takes them. */

/** Names and values alternate. */
export type HeaderList = readonly string[];
