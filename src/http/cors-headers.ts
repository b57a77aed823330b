const exposedHeaders = ["ETag", "X-Snapshot-Id", "X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After"];

/** The headers that every answer carries, also one that is written without the app: CORS, and that no type is guessed. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders.join(", "),
  "X-Content-Type-Options": "nosniff",
};
