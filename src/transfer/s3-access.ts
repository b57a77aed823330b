import type { S3Access } from "./origin.ts";

/**
 * Credentials and address of a bucket from the environment, under the names that other programs give them.
 *
 * @returns undefined where there are no credentials.
 */
export function readS3Access(environment: Readonly<Record<string, string | undefined>>): S3Access | undefined {
  const accessKeyId = environment["AWS_ACCESS_KEY_ID"];
  const secretAccessKey = environment["AWS_SECRET_ACCESS_KEY"];
  if (!accessKeyId || !secretAccessKey) return undefined;
  return {
    endpoint: environment["S3_ENDPOINT"] || undefined,
    region: environment["AWS_REGION"] || "us-east-1",
    ...{ accessKeyId, secretAccessKey },
  };
}
