import { maskKeys } from "../auth/key-format.ts";

const signatureLikeExpression = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g;

/** Characters that mean the same with and without percent-encoding (RFC 3986, section 2.3). */
const unreservedExpression = /[A-Za-z0-9._~-]/;

/**
 * A request target as it may be logged: keys and signatures that were put there by mistake are masked, however much of
 * them was percent-encoded.
 */
export function maskTarget(target: string): string {
  const plain = target.replace(/%([0-7][0-9a-f])/gi, (encoded, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return unreservedExpression.test(character) ? character : encoded;
  });
  return maskKeys(plain).replace(signatureLikeExpression, "…");
}
