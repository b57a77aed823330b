/**
 * A running sum that carries what each addition rounds away.
 *
 * Source: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974), 39–51.
 */
export class NeumaierSum {
  #sum = 0;
  #compensation = 0;

  add(value: number): void {
    const sum = this.#sum + value;
    this.#compensation += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  get value(): number {
    return this.#sum + this.#compensation;
  }
}
