/**
 * An error of a command whose message says all that a person needs. Each kind is a class of its own, and named like it.
 */
export class ForeseenError extends Error {
  /** Only for the compiler: without a field of its own the class would be the same type as `Error`. */
  declare protected readonly isForeseen: true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
