/**
 * Requests of a server thread to the supervisor, whose makers are one for all threads. The answer has the number of its
 * request, so answers may come in any order.
 */
export class SupervisorRequests<Wanted, Answer> {
  readonly #send: (number: number, wanted: Wanted) => void;
  readonly #pending = new Map<number, (answer: Answer) => void>();
  #sentCount = 0;

  /** @param send Sends a request to the supervisor. */
  constructor(send: (number: number, wanted: Wanted) => void) {
    this.#send = send;
  }

  /** Requests something; done when `settle` is called with the number of the request. */
  readonly request = (wanted: Wanted): Promise<Answer> => {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const number = ++this.#sentCount;
    this.#pending.set(number, resolve);
    this.#send(number, wanted);
    return promise;
  };

  /** Takes the answer of the supervisor to the request of that number. */
  settle(number: number, answer: Answer): void {
    this.#pending.get(number)?.(answer);
    this.#pending.delete(number);
  }
}
