/** An error whose message says all that a person needs. Each kind is a class of its own, and named like it. */
export class ForeseenError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
