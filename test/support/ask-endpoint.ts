/** Questions to an endpoint by its name, each with the key that it needs. */
import type { Test } from "tap";
import { type Endpoint, endpointName } from "../../src/contract/endpoint.ts";
import { apiPrefix } from "../../src/contract/paths.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { type ErrorBody, expectError, expectSuccess } from "./expect-answer.ts";
import { type AppOptions, type ReceivedAnswer, type RunningApp, startApp } from "./start-app.ts";
import { type TinyDatasetParts, tinyDataset } from "./tiny-dataset.ts";

/** The end of the target of a GET, a query string with its `?` or what stands for `:uuid`; the body of a POST. */
type Question = string | object;

export interface AskedEndpoint<Body> {
  readonly app: RunningApp;
  /** Asks, without a question for all, and leaves the answer as it came. */
  send(question?: Question): Promise<ReceivedAnswer>;
  /** Asks a question that must be answered as documented. @returns The body of the answer. */
  ask(question?: Question): Promise<Body>;
  /** Asks a question that must be refused with VALIDATION_ERROR for these fields. @returns The body of the error. */
  refuse(question: Question, ...fields: string[]): Promise<ErrorBody>;
  /** As `refuse`, for a row each: a question and its fields. */
  refuseAll(rows: readonly (readonly [question: Question, ...fields: string[]])[]): Promise<void>;
  /** Asks for what is not there. */
  miss(question?: Question): Promise<void>;
}

/** The endpoint of a name, as the endpoint table has it. */
export function endpointNamed(name: string): Endpoint {
  const found = endpoints.find((endpoint) => endpointName(endpoint) === name);
  if (found === undefined) throw new Error(`${name} is no endpoint`);
  return found;
}

/** Asks an endpoint of a running app. */
export function endpointOf<Body>(t: Test, app: RunningApp, name: string): AskedEndpoint<Body> {
  const { method, path, access } = endpointNamed(name);
  const isSecret = access === "secret";
  const template = apiPrefix + path;
  const send = (question: Question = method === "GET" ? "" : {}): Promise<ReceivedAnswer> => {
    if (typeof question === "object") {
      return isSecret ? app.signedPost(template, question) : app.post(template, question);
    }
    const target = /:\w+/.test(template) ? template.replace(/:\w+/, question) : template + question;
    return isSecret ? app.signedGet(target) : app.get(target);
  };
  const nameOf = (question: Question | undefined): string => `${name} ${JSON.stringify(question)?.slice(0, 80)}`;
  const refuse = async (question: Question, ...fields: string[]): Promise<ErrorBody> =>
    expectError(t, await send(question), { code: "VALIDATION_ERROR", fields }, nameOf(question));
  return {
    app,
    send,
    ask: async (question) => expectSuccess<Body>(t, name, await send(question)),
    refuse,
    async refuseAll(rows) {
      for (const [question, ...fields] of rows) await refuse(question, ...fields);
    },
    async miss(question) {
      expectError(t, await send(question), { code: "NOT_FOUND" }, nameOf(question));
    },
  };
}

/** Asks an endpoint of an app of its own, over a tiny dataset of these parts. */
export async function startEndpoint<Body>(
  t: Test,
  name: string,
  parts: TinyDatasetParts = {},
  options: AppOptions = {},
): Promise<AskedEndpoint<Body>> {
  return endpointOf<Body>(t, await startApp(t, tinyDataset(parts), options), name);
}

/** The numbers at the ends of uuids of tiny datasets, in the order of the records. */
export function numbersOf(records: readonly { readonly uuid: string }[]): number[] {
  return records.map(({ uuid }) => Number(uuid.slice(-3)));
}
