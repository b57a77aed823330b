/** The requests that tools make of a description by sending all examples of an operation at once. */

interface Content {
  readonly example?: unknown;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
}

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

export interface ExampleRequest {
  readonly id: string;
  readonly method: string;
  /** Path and query string. */
  readonly target: string;
  /** The examples of the query. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, unknown>>;
  /** Undefined for an operation without a body. */
  readonly body: unknown;
  /** True if a public key suffices. */
  readonly isPublic: boolean;
  /** The answer that is shown in a media type. */
  readonly shownIn: (mediaType: string) => unknown;
}

/** The requests of a description, in its order. */
export function exampleRequestsIn({ paths }: Description): ExampleRequest[] {
  return Object.entries(paths).flatMap(([template, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => {
      const { operationId: id, security, parameters, requestBody, responses } = operation;
      const examplesIn = (place: string): Readonly<Record<string, unknown>> =>
        Object.fromEntries(
          parameters
            .filter((parameter) => parameter.in === place && parameter.example !== undefined)
            .map(({ name, example }) => [name, example]),
        );
      const [path, query] = [examplesIn("path"), examplesIn("query")];
      const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])));
      const fields = Object.entries(query).map(([name, example]) => `${name}=${encodeURIComponent(String(example))}`);
      return {
        ...{ id, path, query, method: method.toUpperCase() },
        target: fields.length === 0 ? filled : `${filled}?${fields.join("&")}`,
        body: requestBody?.content["application/json"]?.example,
        isPublic: security.some((scheme) => "PublicKey" in scheme),
        shownIn: (mediaType) => responses["200"]?.content?.[mediaType]?.example,
      };
    }),
  );
}
