/** The twin of a token bucket: tokens as a double, refilled by the time that has passed since the last look. */
export class NaiveBucket {
  readonly #perMinute: number;
  readonly #debtSeconds: number;
  #tokens: number;
  #seconds = 0;

  constructor(perMinute: number, debtSeconds = 0) {
    this.#perMinute = perMinute;
    this.#debtSeconds = debtSeconds;
    this.#tokens = perMinute;
  }

  /** The tokens at a time, not earlier than the last one. */
  tokensAt(seconds: number): number {
    this.#tokens = Math.min(this.#perMinute, this.#tokens + ((seconds - this.#seconds) * this.#perMinute) / 60);
    this.#seconds = seconds;
    return this.#tokens;
  }

  /** How many tokens are there beyond the one that is requested; less than 0: too few. */
  roomAt(seconds: number, mayOwe: boolean): number {
    return this.tokensAt(seconds) + (mayOwe ? (this.#debtSeconds * this.#perMinute) / 60 : 0) - 1;
  }

  take(): void {
    this.#tokens--;
  }
}
