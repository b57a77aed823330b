/** A request to the interface, as its manual describes it. */
export interface ApiRequest {
  readonly method: "GET" | "POST";
  /** With query string. */
  readonly path: string;
  /** What a POST sends. */
  readonly body?: Readonly<Record<string, unknown>>;
}
