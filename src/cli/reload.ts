/** Makes a running service load what `CURRENT` names now, over its admin port. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { isObject, parseObject } from "../engine/model/json-object.ts";
import { RefusedError } from "./command.ts";

/** The service's admin port. */
export interface AdminAddress {
  readonly host: string;
  readonly port: number;
}

/** The service's answer once every thread serves the snapshot. */
export interface ReloadReport {
  readonly id: string;
  /** False when it already served this snapshot. */
  readonly changed: boolean;
  readonly milliseconds: number;
  /** The version of the service, as it says it; one before 1.0.0 does not. */
  readonly version?: string;
  readonly commit?: string;
}

/** Far above the minute or two that loading ten million prices takes. */
const answerMilliseconds = 15 * 60_000;

/**
 * Makes a running service load the current snapshot, and waits until all its threads serve it.
 *
 * @throws {RefusedError} when no service answers, or it keeps the snapshot it has; the message says why.
 */
export async function reloadService(address: AdminAddress): Promise<ReloadReport> {
  const { status, body } = await post(address);
  const answer = parseObject(body) ?? {};
  if (status === 200 && typeof answer["id"] === "string" && typeof answer["milliseconds"] === "number") {
    const { version, commit } = answer;
    return {
      id: answer["id"],
      changed: answer["changed"] === true,
      milliseconds: answer["milliseconds"],
      ...(typeof version === "string" && typeof commit === "string" && { version, commit }),
    };
  }
  const kept = typeof answer["id"] === "string" ? `; it still serves ${answer["id"]}` : "";
  throw new RefusedError(`the service did not reload: ${reasonOf(answer["error"]) ?? `it answered ${status}`}${kept}`);
}

async function post({ host, port }: AdminAddress): Promise<{ readonly status: number; readonly body: string }> {
  const where = host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
  const outgoing = request({ host, port, path: "/reload", method: "POST", timeout: answerMilliseconds });
  outgoing.on("timeout", () => outgoing.destroy(new Error(`no answer within ${answerMilliseconds / 60_000} minutes`)));
  // Once there is an answer, reading it fails where the connection does.
  outgoing.on("error", () => {});
  outgoing.end();
  const answer = once(outgoing, "response") as Promise<[IncomingMessage]>;
  const [response] = await answer.catch((error) => {
    const reason = "code" in error ? String(error.code) : error.message;
    const advice = "start it, or set ADMIN_HOST and ADMIN_PORT as it has them";
    throw new RefusedError(`no service answers at ${where} (${reason}): ${advice}`, { cause: error });
  });
  const body = await text(response).catch((error: unknown) => {
    throw new RefusedError(`the service at ${where} ended in the middle of its answer`, { cause: error });
  });
  return { status: response.statusCode ?? 0, body };
}

/** The reason is an object with a message, or a text. */
function reasonOf(error: unknown): string | undefined {
  if (typeof error === "string") return error;
  return isObject(error) && "message" in error ? String(error["message"]) : undefined;
}
