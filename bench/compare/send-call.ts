/** Sends a request of the comparison to a service. */
import { createHmac } from "node:crypto";
import { isBelowPrefix } from "../../src/service/http/request/read-request.ts";
import type { BenchService } from "../swap/service-process.ts";
import type { ComparedAnswer } from "./compare-answers.ts";

/** A request of the comparison. */
export interface Call {
  readonly method: "GET" | "POST" | "HEAD";
  /** With query string. */
  readonly path: string;
  readonly body?: object;
  readonly isSigned?: boolean;
  /** Accept-Language. */
  readonly language?: string;
}

/** Requests without a key are limited by address, so each comes from one of its own. */
let requestCount = 0;

/** @returns The answer; redirections are answers, which are not followed. */
export async function send(service: BenchService, call: Call): Promise<ComparedAnswer> {
  const { method, path, body } = call;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await fetch(service.baseUrl + path, {
    method,
    headers: isBelowPrefix(path) ? keyHeaders(service, call, text) : pageHeaders(call),
    ...(text === undefined ? {} : { body: text }),
    redirect: "manual",
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function pageHeaders({ language }: Call): Record<string, string> {
  requestCount++;
  const address = `10.${(requestCount >> 16) & 255}.${(requestCount >> 8) & 255}.${requestCount & 255}`;
  return { "X-Forwarded-For": address, ...(language === undefined ? {} : { "Accept-Language": language }) };
}

function keyHeaders(
  { publicKey, secretKey }: BenchService,
  { method, path, isSigned = false }: Call,
  text: string | undefined,
): Record<string, string> {
  const type: Record<string, string> = text === undefined ? {} : { "Content-Type": "application/json" };
  if (!isSigned) return { ...type, "X-API-Key": publicKey };
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = `${method}|${path}|${timestamp}|${text ?? ""}`;
  return {
    ...type,
    "X-API-Key": secretKey,
    "X-Signature-Timestamp": timestamp,
    "X-Signature": createHmac("sha256", secretKey).update(signed).digest("hex"),
  };
}
